import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lapseHold } from '#test/money/lapse-hold.ts'
import type { Reply } from '#test/setup/reply.ts'
import { foldUsage } from '#test/usage/fold-usage.ts'
import { judgeListed, judgeRecord } from './judge-record.ts'
import { judgeSums } from './judge-sums.ts'
import { readBack, type Kept } from './read-back.ts'
import { expectedOf, readRecords } from './read-records.ts'
import { type RecordWorld, startRecordWorld } from './record-world.ts'
import { listTextCases } from './text-cases.ts'
import { type Walked, walkText } from './walk-text.ts'

/** A call, and all that the gateway says of it afterwards. */
interface Told extends Walked {
  readonly kept: Kept
}

let world: RecordWorld
let calls: readonly Told[]

beforeAll(async () => {
  world = await startRecordWorld()
  const walked = await walkText(world, listTextCases())
  await foldUsage(world.pool)
  calls = await Promise.all(
    walked.map(async (call) => ({
      ...call,
      kept: await readBack(world.as(call.key), call.known.observed.generationId),
    })),
  )
})
afterAll(() => world.close())

/** What is wrong with the calls of these outcomes, each of which was made in three dialects at least. */
function problemsOf(outcomes: readonly string[], judge: (call: Told) => readonly string[]): string[] {
  return outcomes.flatMap((outcome) => {
    const meant = calls.filter((call) => call.outcome === outcome)
    expect(meant.length, outcome).toBeGreaterThanOrEqual(3)
    return meant.flatMap((call) => judge(call).map((problem) => `${call.label}: ${problem}`))
  })
}

const judgeKept = ({ outcome, known, kept }: Told): string[] =>
  judgeRecord(expectedOf('text', outcome), known, kept.record)

const wholly = ['document', 'stream', 'failover', 'failover stream']
const free = ['own key', 'own key stream', 'free', 'free stream', 'test model', 'test model stream']

describe('the record of a call', () => {
  it('is expected for every outcome of the table', () => {
    const rows = readRecords().filter(({ request }) => request === 'text')
    expect(new Set(calls.map(({ outcome }) => outcome))).toEqual(new Set(rows.map(({ outcome }) => outcome)))
  })

  it('[GEN-01] [GEN-04] [GEN-05] [GEN-06] [GEN-07] of an answer is what client and upstream know of it', () => {
    expect(problemsOf(wholly, judgeKept)).toEqual([])
    expect(problemsOf(wholly, ({ understood }) => (understood === true ? [] : ['not understood']))).toEqual([])
  })

  it('[GEN-05] of a chat has the very usage of its answer', () => {
    const chats = calls.filter(({ outcome, endpoint }) => outcome === 'document' && endpoint === 'chat')
    expect(chats.length).toBeGreaterThanOrEqual(12)
    for (const { answer, kept } of chats) expect(kept.record['usage']).toEqual(answer['usage'])
  })

  it('[GEN-08] [GEN-07] of an answer that nobody pays for says why', () => {
    expect(problemsOf(free, judgeKept)).toEqual([])
    expect(problemsOf(free, ({ understood }) => (understood === true ? [] : ['not understood']))).toEqual([])
  })

  it.each([
    ['[HOLD-01] [GEN-08] nobody could be reached', ['unreachable']],
    ['[HOLD-02] [GEN-08] an upstream refused or failed', ['rejected', 'failed']],
    [
      '[HOLD-03] [GEN-08] an upstream answered 200 with nothing to use',
      ['empty', 'broken', 'error in a 200', 'nothing said'],
    ],
    ['[HOLD-04] [GEN-08] a stream broke off', ['reset', 'ended early', 'reset while counting']],
    ['[HOLD-05] [GEN-08] the client left', ['left', 'left while counting']],
    ['[HOLD-06] [HOLD-07] [GEN-08] nothing was counted', ['no usage', 'zero usage']],
  ])('%s: it cost nothing, and is kept with its reason', (_what, outcomes) => {
    expect(problemsOf(outcomes, judgeKept)).toEqual([])
    expect(problemsOf(outcomes, ({ understood }) => (understood === false ? ['not understood'] : []))).toEqual([])
  })

  it('[HOLD-03] was asked for in every dialect, of upstreams of every protocol', () => {
    const meant = calls.filter(({ outcome }) => outcome === 'broken')
    expect(new Set(meant.map(({ endpoint, known }) => `${endpoint} ${known.model}`)).size).toBe(12)
  })
})

describe('what is told elsewhere', () => {
  const outcomes = readRecords().flatMap(({ request, outcome }) => (request === 'text' ? [outcome] : []))

  it('the list of requests has it, alone and alike', () => {
    expect(
      problemsOf(outcomes, ({ kept, endpoint, keyId }) => {
        const [listed = {}, ...others] = kept.listed
        const who = listed['endpoint'] === endpoint && listed['api_key_id'] === keyId ? [] : ['of another key or path']
        return [...judgeListed(kept.record, listed), ...who, ...others.map(() => 'listed twice')]
      }),
    ).toEqual([])
  })

  it('[MONEY-08] [MONEY-09] [ACCT-12] wallet, key and usage have it once, at the cost that the client saw', () => {
    expect(
      problemsOf(outcomes, ({ kept, known, outcome }) => judgeSums(expectedOf('text', outcome), known, kept)),
    ).toEqual([])
  })
})

function ask(key: string, id: string): Promise<Reply> {
  return world.as(key).get(`/v1/generation?id=${encodeURIComponent(id)}`)
}

describe('GET /v1/generation', () => {
  const never = 'gen-01890000000070008000000000000000'

  it('[GEN-02] answers 400 without an id', async () => {
    const { key } = await world.createCaller()
    for (const path of ['/v1/generation', '/v1/generation?id='])
      expect((await world.as(key).get(path)).status).toBe(400)
  })

  it('[GEN-03] answers 404 alike for what never was and for what is of another account, finished or not', async () => {
    const [stranger, owner] = [await world.createCaller(), await world.createCaller()]
    const lapsed = await lapseHold(world.pool, owner, '3')
    const foreign = wholly.flatMap(
      (outcome) => calls.find((call) => call.outcome === outcome)?.known.observed.generationId ?? [],
    )
    expect(foreign).toHaveLength(wholly.length)
    const unknown = await ask(stranger.key, never)
    expect(unknown.status).toBe(404)
    for (const id of [...foreign, lapsed, 'chatcmpl-123', "gen-' OR 1=1"])
      expect(await ask(stranger.key, id)).toEqual(unknown)
    expect((await ask(owner.key, lapsed)).status).toBe(200)
  })

  it('[GEN-08] shows a call whose process died as refunded', async () => {
    const owner = await world.createCaller()
    const id = await lapseHold(world.pool, owner, '3')
    expect((await ask(owner.key, id)).data).toMatchObject({
      id,
      total_cost: 0,
      usage: { cost: 0, total_tokens: 0 },
      refund_reason: 'lease_lapsed',
      receipt: null,
    })
    expect((await world.as(owner.key).get('/v1/key')).data).toMatchObject({ limit_remaining: 25, usage: 0 })
  })
})
