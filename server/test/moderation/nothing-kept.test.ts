import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type MediaUpstream, startMediaUpstream } from '#test/simulators/start-media-upstream.ts'
import type { VideoScript } from '#test/simulators/media/videos/video-upstream.ts'
import { plainModel, startVideoWorld, type VideoWorld } from '#test/videos/video-world.ts'
import { askedModels, everyRequest } from './every-request.ts'
import { findAnywhere } from './find-anywhere.ts'
import { fates, repeatingUpstream } from './repeating-upstream.ts'
import { moderationTestPhrase } from './test-phrase.ts'

/** Long enough to be unique, and made of words: nothing takes it for a secret. */
const markerOf = (name: string): string => `violet quokka orchard ${name}`

describe('what is kept of what clients write', () => {
  let world: VideoWorld
  let upstream: MediaUpstream
  let hooks: MediaUpstream
  let organizationId: string
  let key: string
  let manager: string
  beforeAll(async () => {
    world = await startVideoWorld('luma-agents', { WEIR_BREAKER_FAILURES: '100000' })
    upstream = await startMediaUpstream(() => ({ status: 404 }))
    hooks = await startMediaUpstream(() => ({ status: 204 }))
    await world.addProvider({ vendor: 'openai', url: `${upstream.url}/v1`, pattern: 'openai/*', priority: -1 })
    await world.addModels([plainModel, ...askedModels])
  })
  beforeEach(async () => {
    upstream.calls.length = 0
    organizationId = (await world.createOrganization({ usd: '100' })).id
    const { memberId, userId } = await world.addMember(organizationId, { role: 'org_admin' })
    key = (await world.addOrganizationKey(organizationId, { memberId })).key
    manager = (await world.addKey(userId, { type: 'management' })).key
  })
  afterAll(async () => {
    await world.close()
    await upstream.close()
    await hooks.close()
  })

  const addRule = async (action: string, keyword: string): Promise<void> => {
    const rule = { name: 'rule', action, matcher: { kind: 'keyword', keyword } }
    expect((await world.as(manager).post(`/api/orgs/${organizationId}/content-filters`, rule)).status).toBe(201)
  }
  const ask = async (words: string): Promise<number[]> => {
    const statuses: number[] = []
    for (const { path, body } of everyRequest(words)) statuses.push((await world.as(key).post(path, body)).status)
    return statuses
  }
  /** Waits until nothing is in progress. */
  const whereverKept = async (words: string): Promise<string[]> => {
    const open = `SELECT (SELECT count(*) FROM holds) + (SELECT count(*) FROM webhook_deliveries WHERE due_at IS NOT NULL) AS count`
    await expect.poll(async () => (await world.pool.query(open)).rows).toEqual([{ count: '0' }])
    return findAnywhere(world, words)
  }

  for (const fate of fates) {
    it(`[MODER-02] is no text of a request of any kind that is ${fate}, in any table, in Redis, in a file or in the log`, async () => {
      const marker = markerOf(fate)
      upstream.play(repeatingUpstream(fate, marker))
      const statuses = await ask(marker)
      if (fate === 'answered') expect(statuses.filter((status) => status !== 200)).toEqual([])
      expect(upstream.calls.length).toBeGreaterThanOrEqual(statuses.length)
      expect(upstream.calls.filter(({ bytes }) => !bytes.includes(marker))).toEqual([])
      expect(await whereverKept(marker)).toEqual([])
    })
  }

  for (const [action, status] of [
    ['flag', 200],
    ['redact', 200],
    ['block', 403],
  ] as const) {
    it(`[MODER-02] is no text of a request that a filter fires on, to ${action}`, async () => {
      upstream.play(repeatingUpstream('answered', 'fine'))
      const marker = markerOf(action)
      await addRule(action, 'falcon')
      const statuses = await ask(`${marker} and a falcon`)
      expect(statuses.filter((each) => each !== status)).toEqual([])
      expect(await whereverKept(marker)).toEqual([])
    })
  }

  it('[MODER-02] [MODER-03] [MODER-04] is the sealed evidence of what moderation blocks, and nothing else of it', async () => {
    const marker = markerOf('blocked')
    const statuses = await ask(`${marker} ${moderationTestPhrase}`)
    expect(statuses.filter((status) => status !== 403)).toEqual([])
    expect(upstream.calls).toEqual([])
    expect(await whereverKept(marker)).toEqual(['sealed in moderation_evidence'])
  })

  it('[MODER-02] is no text of a body that can not be read', async () => {
    const marker = markerOf('unread')
    const reply = await world.as(key).post('/v1/chat/completions', `{"messages": "${marker}" ${marker}`)
    expect(reply.status).toBe(400)
    expect(await whereverKept(marker)).toEqual([])
  })

  it('[MODER-02] [MODER-05] is what a video shows, sealed while its job runs, and nothing once the job is over', async () => {
    const marker = markerOf('filmed')
    const scripts: Partial<VideoScript>[] = [
      { end: { kind: 'made', count: 1 } },
      { end: { kind: 'failed', message: `Could not show: ${marker}, sorry.` } },
      { end: { kind: 'moderated' } },
      { submit: 'invalid' },
      { submit: 'failing' },
    ]
    await world.upstream.playNext(...scripts)
    const order = { prompt: marker, negative_prompt: marker, callback_url: `${hooks.url}/hook` }
    const ids: string[] = []
    for (const _ of scripts) ids.push(await world.submit({ key }, order))
    expect(await findAnywhere(world, marker)).toEqual(['sealed in video_jobs'])
    await world.startWorker()
    const jobs = await Promise.all(ids.map((id) => world.ended({ key }, id)))
    expect(jobs.map(({ status }) => status)).toContain('completed')
    expect(jobs.map(({ status }) => status)).toContain('failed')
    expect((await world.upstream.orders()).filter(({ prompt }) => prompt !== marker)).toEqual([])
    expect(await whereverKept(marker)).toEqual([])
  })
})
