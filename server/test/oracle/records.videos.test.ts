import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { VideoScript } from '#test/simulators/media/videos/video-upstream.ts'
import { startSimulator } from '#test/simulators/start-simulator.ts'
import { rollUpUsage } from '#test/usage/roll-up-usage.ts'
import { plainModel, startVideoWorld, type VideoWorld } from '#test/videos/video-world.ts'
import { judgeListed, judgeRecord, type Known } from './judge-record.ts'
import { judgeSums } from './judge-sums.ts'
import { readBack } from './read-back.ts'
import { expectedOf, readRecords } from './read-records.ts'
import { only, type UpstreamWords } from './text-plays.ts'

/** The upstream's handling of an order, and its words for the end. */
interface Play {
  readonly script: Partial<VideoScript>
  readonly words: UpstreamWords
}

const plays: Readonly<Record<string, Play>> = {
  completed: { script: { pendingPolls: 1, workingPolls: 1 }, words: { ...only(200), finish: 'stop' } },
  failed: { script: { end: { kind: 'failed', message: 'No.' } }, words: { ...only(200), finish: 'error' } },
  moderated: { script: { end: { kind: 'moderated' } }, words: { ...only(200), finish: 'error' } },
  forgotten: { script: { end: { kind: 'expired' } }, words: { ...only(200), finish: 'error' } },
  'refused later': { script: { poll: 'refused' }, words: { ...only(200), finish: 'error' } },
  'without a video': { script: { end: { kind: 'made', count: 0 } }, words: { ...only(200), finish: 'error' } },
  rejected: { script: { submit: 'invalid' }, words: { ...only(400), finish: 'error' } },
  refused: { script: { submit: 'failing' }, words: { ...only(503), finish: 'error' } },
  unreachable: { script: {}, words: { ...only(0), finish: 'error' } },
}

const unreachable = 'acme/unreachable'
let world: VideoWorld

beforeAll(async () => {
  world = await startVideoWorld()
  const gone = { vendor: 'runway', url: await closedAddress() }
  await world.addModels([plainModel, { ...plainModel, id: unreachable, provider: gone.vendor }])
  await world.addProvider({ ...gone, pattern: unreachable })
  await world.startWorker()
})
afterAll(() => world.close())

/** An address where nothing listens. */
async function closedAddress(): Promise<string> {
  const simulator = await startSimulator()
  await simulator.close()
  return simulator.url
}

/** Orders a video, waits for its end, and compares the stored data with the observations. */
async function problemsOf(outcome: string): Promise<string[]> {
  const { script = {}, words = only(0) } = plays[outcome] ?? {}
  const isReached = outcome !== 'unreachable'
  if (isReached) await world.upstream.playNext(script)
  const { key, keyId } = await world.createClient()
  const startedAtMs = Date.now()
  const body = { model: isReached ? 'acme/film' : unreachable, prompt: `a weir, ${outcome}`, duration: 5 }
  const submitted = await world.call({ key }, '/v1/videos', { body, headers: { 'x-title': outcome } })
  expect(submitted.status).toBe(202)
  const job = await world.ended({ key }, String(submitted.json.id))
  const endedAtMs = Date.now()
  expect(job.status).toBe(outcome === 'completed' ? 'completed' : 'failed')
  await rollUpUsage(world.pool)
  const order = (await world.upstream.orders()).find(({ prompt }) => prompt === body.prompt)
  const kept = await readBack(world.as(key), String(job.generation_id))
  const known: Known = {
    model: body.model,
    provider: isReached ? world.upstream.vendor : 'runway',
    app: outcome,
    told: { tokens: null, costUsd: Number(Object(job.usage).cost) },
    // Five seconds at a tenth of a dollar.
    priced: { costUsd: 0.5, savedUsd: 0 },
    observed: { startedAtMs, firstByteAtMs: endedAtMs, endedAtMs, generationId: String(submitted.json.generation_id) },
    upstream: {
      ...words,
      receivedAtMs: order?.takenAtMs ?? endedAtMs,
      waitedUntilMs: order?.pollsAtMs.slice(-1) ?? [],
    },
  }
  const expected = expectedOf('videos', outcome)
  const [listed = {}, ...others] = kept.listed
  expect(others).toEqual([])
  expect(listed).toMatchObject({ endpoint: 'videos', api_key_id: keyId })
  return [
    ...judgeRecord(expected, known, kept.record),
    ...judgeListed(kept.record, listed),
    ...judgeSums(expected, known, kept),
  ]
}

describe('the record of a video', () => {
  it('is expected for every outcome of the table', () => {
    const rows = readRecords().filter(({ request }) => request === 'videos')
    expect(rows.map(({ outcome }) => outcome)).toEqual(Object.keys(plays))
  })

  it('[VIDEO-24] [GEN-01] [GEN-06] [ACCT-12] of a completed job is what client and upstream know of it', async () => {
    expect(await problemsOf('completed')).toEqual([])
  })

  it.each(Object.keys(plays).filter((outcome) => outcome !== 'completed'))(
    '[VIDEO-25] [GEN-08] [HOLD-02] of a job that was %s shows no cost and the reason, and nothing is held',
    async (outcome) => {
      expect(await problemsOf(outcome)).toEqual([])
    },
  )
})
