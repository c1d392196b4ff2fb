import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parseJobId } from '#domain/video/job-id.ts'
import { purgeVideos } from '#jobs/purge-videos.ts'
import { parseJsonObject } from '#lib/json.ts'
import { createFileBlobs } from '#store/blobs/file-blobs.ts'
import { createStoredVideoStore } from '#store/postgres/videos/stored-video-store.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import type { VideoUpstream } from '#test/simulators/media/videos/video-upstream.ts'
import { type MediaUpstream, startMediaUpstream } from '#test/simulators/start-media-upstream.ts'
import { makeMovie, readMovie } from './real/movies.ts'
import { addHost } from './video-hosts.ts'
import { plainModel, startVideoWorld, type VideoWorld } from './video-world.ts'

const unknown = 'vjob_01890000000070008000000000000000'

describe('the job of a video, step by step', () => {
  const hourMs = 3_600_000
  let world: VideoWorld
  beforeAll(async () => {
    // The job is not polled before its due time, which the test sets.
    const settings = { WEIR_LIMITS_ACCOUNT: '60', WEIR_VIDEO_POLL_EVERY_MS: String(hourMs) }
    world = await startVideoWorld('luma-agents', settings)
    await world.addModels([plainModel])
    await world.startWorker()
  })
  afterAll(() => world.close())

  // Only if the job waits for its next hourly poll: a claimed job would be polled twice.
  const makeDue = (id: string) =>
    world.pool.query(
      `UPDATE video_jobs SET due_at = clock_timestamp() WHERE id = $1 AND due_at > clock_timestamp() + interval '50 minutes'`,
      [parseJobId(id)],
    )

  it('[VIDEO-22] [VIDEO-27] goes from pending over in_progress to completed and never back, asked as often as one likes', async () => {
    const caller = await world.createClient({ usd: '10' })
    await world.upstream.playNext({ pendingPolls: 2, workingPolls: 2 })
    const id = await world.submit(caller)
    const status = async () => {
      const { status: code, json } = await world.call(caller, `/v1/videos/${id}`)
      return [code, json.id, json.status]
    }
    const polls = async () => (await world.upstream.orders()).at(-1)?.pollsAtMs.length
    const next = async (state: string): Promise<number> => {
      const { rows } = await world.pool.query<{ ms: number }>(
        `SELECT (extract(epoch FROM due_at - clock_timestamp()) * 1000)::float8 AS ms FROM video_jobs
         WHERE id = $1 AND state = $2`,
        [parseJobId(id), state],
      )
      return rows[0]?.ms ?? 0
    }
    for (const [count, said] of ['pending', 'pending', 'pending', 'in_progress', 'in_progress'].entries()) {
      // The upstream is polled once per hour, its interval.
      await expect.poll(() => next('running')).toBeGreaterThan(hourMs - 600_000)
      expect(await polls()).toBe(count)
      expect(await status()).toEqual([200, id, said])
      await makeDue(id)
      await expect.poll(polls).toBe(count + 1)
    }
    await expect.poll(status).toEqual([200, id, 'completed'])
    // More polls than an account's rate limit per minute.
    for (let asked = 0; asked < 100; asked += 1) expect(await status()).toEqual([200, id, 'completed'])
    expect(await polls()).toBe(5)
  })

  it('[VIDEO-30] has no content before it is completed: 409', async () => {
    const caller = await world.createClient({ usd: '10' })
    const id = await world.submit(caller)
    const content = () => world.call(caller, `/v1/videos/${id}/content`)
    const early = await content()
    expect(early.status).toBe(409)
    expect(early.json).toMatchObject({ error: { message: expect.stringContaining('pending') } })
    const status = async () => {
      await makeDue(id)
      return (await world.call(caller, `/v1/videos/${id}`)).json.status
    }
    await expect.poll(status).toBe('completed')
    expect((await content()).status).toBe(200)
  })
})

describe('the job of a video', () => {
  let world: VideoWorld
  let caller: TestClient
  let several: VideoUpstream
  let hooks: MediaUpstream
  let movie: Buffer
  beforeAll(async () => {
    world = await startVideoWorld('luma-agents')
    await world.addModels([plainModel])
    several = await addHost(world, 'openrouter', { id: 'acme/reel', upstream_model_id: 'reel' })
    hooks = await startMediaUpstream(() => ({ status: 204 }))
    movie = await makeMovie({ seconds: 5 })
    await world.upstream.serve(movie)
    await world.startWorker()
  })
  beforeEach(async () => {
    caller = await world.createClient({ usd: '10' })
  })
  afterAll(async () => {
    await world.close()
    await several.close()
    await hooks.close()
  })

  const made = async (body = {}): Promise<string> => {
    const id = await world.submit(caller, body)
    expect(await world.ended(caller, id)).toMatchObject({ status: 'completed' })
    return id
  }
  const content = (id: string, query = '', range?: string) =>
    world.call(caller, `/v1/videos/${id}/content${query}`, range === undefined ? {} : { headers: { range } })

  it('[VIDEO-25] of a failed video says why, and its whole reserve is returned', async () => {
    await world.upstream.playNext({ end: { kind: 'failed', message: 'The weir was too wide.' } })
    const id = await world.submit(caller)
    const job = await world.ended(caller, id)
    expect(job.status).toBe('failed')
    expect(job.error).toEqual(expect.stringContaining('The weir was too wide.'))
    expect(job).not.toHaveProperty('unsigned_urls')
    expect(await world.walletOf(caller.walletId)).toEqual({ balance: '10', held: '0', charged: '0' })
    await world.upstream.playNext({ submit: 'invalid' })
    const refused = await world.ended(caller, await world.submit(caller))
    expect(refused).toMatchObject({ status: 'failed', error: expect.any(String), usage: { cost: 0 } })
    expect(await world.walletOf(caller.walletId)).toEqual({ balance: '10', held: '0', charged: '0' })
    expect((await content(id)).status).toBe(409)
  })

  it('[VIDEO-26] [VIDEO-33] [VIDEO-34] [VIDEO-35] that nobody polls is finished, settled and reported once it is over', async () => {
    await world.upstream.playNext({ pendingPolls: 1, workingPolls: 1 })
    const id = await world.submit(caller, { callback_url: `${hooks.url}/hook?a=b` })
    await expect.poll(() => hooks.calls.length).toBe(1)
    expect(await world.walletOf(caller.walletId)).toEqual({ balance: '9.5', held: '0', charged: '0.5' })
    const [call] = hooks.calls
    expect(call).toMatchObject({ method: 'POST', path: '/hook?a=b' })
    const polled = (await world.call(caller, `/v1/videos/${id}`)).json
    const own = String(call?.json.polling_url).replace(/\/v1\/.*/, '')
    expect(own).toMatch(/^https:\/\//)
    expect(call?.json).toEqual({
      event: 'video.completed',
      ...polled,
      polling_url: `${own}/v1/videos/${id}`,
      unsigned_urls: [`${own}/v1/videos/${id}/content?index=0`],
    })
    expect(call?.headers['x-webhook-id']).toMatch(/^[0-9a-f-]{36}$/)
    expect(Object.keys(call?.headers ?? {}).filter((name) => name.includes('signature'))).toEqual([])
    await world.upstream.playNext({ end: { kind: 'failed', message: 'No.' } })
    await world.submit(caller, { callback_url: `${hooks.url}/failed` })
    await expect.poll(() => hooks.calls.length).toBe(2)
    expect(hooks.calls[1]?.json).toMatchObject({ event: 'video.failed', status: 'failed', error: expect.any(String) })
  })

  it('[VIDEO-28] is not there for others, like one that never was: 404, and so is its content', async () => {
    const id = await made()
    const other = await world.createClient()
    for (const [who, name] of [
      [other, id],
      [caller, unknown],
      [caller, 'vjob_1'],
      [caller, id.replace('vjob_', 'gen-')],
    ] as const) {
      const [seen, bytes] = [`/v1/videos/${name}`, `/v1/videos/${name}/content`].map((path) => world.call(who, path))
      expect((await seen)?.status).toBe(404)
      expect((await bytes)?.status).toBe(404)
      expect((await bytes)?.json).toMatchObject({ error: { message: 'Video job not found.' } })
    }
  })

  it('[VIDEO-29] has a video that plays: every frame of what the provider made', async () => {
    const reply = await content(await made())
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-type')).toBe('video/mp4')
    expect(reply.headers.get('content-length')).toBe(String(movie.length))
    expect(reply.bytes.equals(movie)).toBe(true)
    const seen = await readMovie(reply.bytes)
    expect(seen).toMatchObject({ width: 320, height: 180, frames: 120 })
    expect(seen.seconds).toBeCloseTo(5, 1)
  })

  it('D11: [VIDEO-31] has as many videos as were made, counted from 0; others are not there: 404, or 400 for no integer', async () => {
    await several.playNext({ end: { kind: 'made', count: 2 } })
    const id = await world.submit(caller, { model: 'acme/reel' })
    const job = await world.ended(caller, id)
    expect(job.unsigned_urls).toEqual([0, 1].map((index) => `/v1/videos/${id}/content?index=${index}`))
    const plain = await content(id)
    expect((await content(id, '?index=0')).bytes.equals(plain.bytes)).toBe(true)
    expect((await content(id, '?index=1')).status).toBe(200)
    for (const index of ['2', '99999999999999999999']) {
      expect((await content(id, `?index=${index}`)).status, index).toBe(404)
    }
    for (const index of ['-1', 'x', 'one', '1.0', ' 0', '']) {
      expect((await content(id, `?index=${encodeURIComponent(index)}`)).status, `D11: ${index}`).toBe(400)
    }
    expect((await several.orders()).at(-1)?.downloads).toBe(2)
  })

  it('D8: [VIDEO-23] has links under the prefix that its client calls', async () => {
    const body = { model: 'acme/film', prompt: 'A weir', callback_url: `${hooks.url}/legacy` }
    const submitted = await world.call(caller, '/api/v1/videos', { body })
    expect(submitted.status, JSON.stringify(submitted.json)).toBe(202)
    const id = String(submitted.json.id)
    expect(submitted.json.polling_url).toBe(`/api/v1/videos/${id}`)
    await expect
      .poll(() => hooks.calls.find(({ path }) => path === '/legacy')?.json)
      .toMatchObject({
        polling_url: expect.stringMatching(/^https:\/\/[^/]+\/api\/v1\/videos\/vjob_/),
        unsigned_urls: [expect.stringMatching(/^https:\/\/[^/]+\/api\/v1\/videos\/vjob_.*\/content\?index=0$/)],
      })
    for (const prefix of ['/api', '']) {
      const polled = (await world.call(caller, `${prefix}/v1/videos/${id}`)).json
      expect(polled.polling_url).toBe(`${prefix}/v1/videos/${id}`)
      expect(polled.unsigned_urls).toEqual([`${prefix}/v1/videos/${id}/content?index=0`])
      expect((await world.call(caller, `${prefix}/v1/videos/${id}/content?index=0`)).status).toBe(200)
    }
  })

  it.each([
    ['bytes=0-99', 0, 99],
    ['bytes=100-', 100, -1],
    ['bytes=-50', -50, -1],
    ['bytes=10-99999999', 10, -1],
  ])('[VIDEO-32] gives the range %s: 206', async (range, from, to) => {
    const id = await made()
    const first = from < 0 ? movie.length + from : from
    const last = to < 0 ? movie.length + to : to
    const reply = await content(id, '', range)
    expect(reply.status).toBe(206)
    expect(reply.headers.get('content-range')).toBe(`bytes ${first}-${last}/${movie.length}`)
    expect(reply.bytes.equals(movie.subarray(first, last + 1))).toBe(true)
  })

  it('[VIDEO-32] gives no range that it can not: 416', async () => {
    const id = await made()
    for (const range of ['bytes=99999999-', 'bytes=9-2', 'bytes=a-b', 'bytes=-0', 'lines=1-2', 'bytes=0-1,3-4', '']) {
      const reply = await content(id, '', range)
      if (range === '') continue
      expect(reply.status, range).toBe(416)
      expect(reply.headers.get('content-range')).toBe(`bytes */${movie.length}`)
    }
  })

  it('keeps its video until its time is over: 410 from then on, and the bytes are purged', async () => {
    const over = await made()
    const kept = await made()
    const blobs = createFileBlobs(`${world.dataDir}/blobs`)
    const book = createStoredVideoStore(world.pool)
    const files = () => blobs.list('videos/', 1_000)
    const before = await files()
    await world.pool.query(
      `UPDATE video_jobs SET stored_until = now() - interval '1 second' WHERE replace(id::text, '-', '') = $1`,
      [over.slice(5)],
    )
    const gone = await content(over)
    expect(gone.status).toBe(410)
    expect(gone.json).toMatchObject({ error: { message: expect.stringContaining('This video has expired') } })
    expect(await purgeVideos(book, blobs, 500)).toBe(1)
    expect((await files()).length).toBe(before.length - 1)
    expect(await purgeVideos(book, blobs, 500)).toBe(0)
    expect((await content(over)).status).toBe(410)
    expect((await world.call(caller, `/v1/videos/${over}`)).json).toMatchObject({ status: 'completed' })
    expect((await content(kept)).status).toBe(200)
  })

  it('is listed among models with what it costs', async () => {
    await world.addModels([
      {
        ...plainModel,
        id: 'acme/ruled',
        pricing: {},
        pricing_rules: [
          { unit: 'second', usd: '0.2', resolution: '1080p', audio: true },
          { unit: 'video_token', usd: '0.000007' },
          { unit: 'minimum_per_generation', usd: '0.56' },
        ],
      },
    ])
    const { json } = await world.call(caller, '/v1/models?output_modalities=video')
    const models = Array.isArray(json.data) ? json.data.map((model) => parseJsonObject(JSON.stringify(model))) : []
    expect(models.find((model) => model?.id === 'acme/film')).toMatchObject({
      priced: true,
      pricing: { video_second: '0.1', video_input_second: '0.05' },
    })
    expect(models.find((model) => model?.id === 'acme/ruled')).toMatchObject({
      priced: true,
      pricing: { video_token: '7', request_minimum: '0.56' },
      pricing_variants: [{ price: 'video_second', usd: '0.2', when: { resolution: '1080p', audio: 'true' } }],
    })
  })
})
