import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestClient } from '#test/setup/accounts.ts'
import { type MediaUpstream, startMediaUpstream } from '#test/simulators/start-media-upstream.ts'
import { plainModel, startVideoWorld, type VideoWorld } from '#test/videos/video-world.ts'
import { leakedIn, leaks, longestPiece, longSentence, sentences } from './leaks.ts'

describe('what a host says of a video that it could not make', () => {
  let world: VideoWorld
  let hooks: MediaUpstream
  let caller: TestClient
  beforeAll(async () => {
    world = await startVideoWorld()
    await world.addModels([plainModel])
    hooks = await startMediaUpstream(() => ({ status: 204 }))
    caller = await world.createClient({ usd: '100' })
    await world.startWorker()
  })
  afterAll(async () => {
    await world.close()
    await hooks.close()
  })

  it('[B8] holds no secret and is bounded, in the job, in its webhook and in what is stored', async () => {
    const told = [...sentences, longSentence, `The field is wrong see ${world.upstream.key}`]
    let shown = 0
    for (const message of told) {
      await world.upstream.playNext({ end: { kind: 'failed', message } })
      const id = await world.submit(caller, { callback_url: `${hooks.url}/hook` })
      const job = await world.ended(caller, id)
      expect(job.status).toBe('failed')
      if (/The field is wrong|word word/.test(String(job.error))) shown += 1
      expectClean(JSON.stringify(job))
    }
    // Sentences about keys concern our account, and are not shown.
    expect(shown).toBe(told.length - 1)
    await expect.poll(() => hooks.calls.length).toBe(told.length)
    for (const { json } of hooks.calls) expectClean(JSON.stringify(json))
    const { rows } = await world.pool.query('SELECT progress::text FROM video_jobs')
    expectClean(JSON.stringify(rows))
  })

  function expectClean(text: string): void {
    // This upstream has its own credential instead of the one in the sentences.
    const formless = new Set(leaks.filter(({ isFormless }) => isFormless).map(({ name }) => name))
    expect(leakedIn(text).filter((name) => !formless.has(name))).toEqual([])
    expect(text).not.toContain(world.upstream.key)
    expect(longestPiece(text)).toBeLessThanOrEqual(500)
  }
})
