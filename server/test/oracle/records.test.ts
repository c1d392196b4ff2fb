import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lapseHold } from '#test/money/lapse-hold.ts'
import type { Reply } from '#test/setup/reply.ts'
import { gatherCalls, listProblems, recordProblems, sumProblems, type Told } from './gather-calls.ts'
import { readRecords } from './read-records.ts'
import { type RecordWorld, startRecordWorld } from './record-world.ts'
import { listTextCases } from './text-cases.ts'
import { unusableKinds } from './text-plays.ts'

let world: RecordWorld
let calls: readonly Told[]

beforeAll(async () => {
  world = await startRecordWorld()
  calls = await gatherCalls(world, listTextCases())
})
afterAll(() => world.close())

/** The requests with these outcomes; each outcome was tried in at least three dialects. */
function callsOf(...outcomes: readonly string[]): Told[] {
  return outcomes.flatMap((outcome) => {
    const meant = calls.filter(({ made }) => made.outcome === outcome)
    expect(meant.length, outcome).toBeGreaterThanOrEqual(3)
    return meant
  })
}

const wholly = ['document', 'stream', 'failover', 'failover stream']

describe('the record of a call for words', () => {
  it('is expected for every outcome of the table', () => {
    const rows = readRecords().filter(({ request }) => request === 'text')
    expect(new Set(calls.map(({ made }) => made.outcome))).toEqual(new Set(rows.map(({ outcome }) => outcome)))
  })

  it('[GEN-01] [GEN-04] [GEN-05] [GEN-06] [GEN-07] of an answer is what client and upstream know of it', () => {
    expect(recordProblems(callsOf(...wholly))).toEqual([])
  })

  it('[GEN-05] of a chat has the very usage of its answer', () => {
    const chats = callsOf('document').filter(({ made }) => made.endpoint === 'chat')
    expect(chats.length).toBeGreaterThanOrEqual(12)
    for (const { answer, kept } of chats) expect(kept.record['usage']).toEqual(answer['usage'])
  })

  it.each([
    ['[BYOK-16] [GEN-08] of an own key', ['own key', 'own key stream']],
    ['[FREE-01] [GEN-08] of a free model', ['free', 'free stream']],
    ['[GEN-08] of a test model', ['test model', 'test model stream']],
    ['[HOLD-01] [GEN-08] that reached nobody', ['unreachable']],
    ['[HOLD-02] [GEN-08] that an upstream refused', ['rejected', 'failed']],
    ['[HOLD-03] [GEN-08] answered 200 without use', [...unusableKinds]],
    ['[HOLD-04] [GEN-08] that broke off', ['reset', 'ended early', 'reset while counting', 'ended while counting']],
    ['[HOLD-05] [GEN-08] that the client left', ['left', 'left while counting', 'left early']],
    ['[HOLD-06] [HOLD-07] [GEN-08] without counts', ['no usage', 'zero usage']],
  ])('%s shows no cost, and the reason', (_what, outcomes) => {
    expect(recordProblems(callsOf(...outcomes))).toEqual([])
  })

  it('[HOLD-03] was tried in every dialect, on upstreams of every protocol', () => {
    const tried = callsOf(...unusableKinds).map(({ made }) => `${made.outcome} ${made.endpoint} ${made.model}`)
    expect(new Set(tried).size).toBe(unusableKinds.length * 12)
  })

  it('is the same in the list of requests', () => {
    expect(listProblems(calls)).toEqual([])
  })

  it('[MONEY-08] [MONEY-09] [MONEY-11] [ACCT-12] counts once, at the cost that the client saw', () => {
    expect(sumProblems(calls)).toEqual([])
  })
})

function ask(key: string, id: string): Promise<Reply> {
  return world.as(key).get(`/v1/generation?id=${encodeURIComponent(id)}`)
}

describe('GET /v1/generation', () => {
  const never = 'gen-01890000000070008000000000000000'

  it('[GEN-02] answers 400 without an id', async () => {
    const { key } = await world.createClient()
    for (const path of ['/v1/generation', '/v1/generation?id=']) {
      expect((await world.as(key).get(path)).status).toBe(400)
    }
  })

  it('[GEN-03] answers 404 alike for what never was and for what is of another account, finished or not', async () => {
    const [stranger, owner] = [await world.createClient(), await world.createClient()]
    const { generationId: lapsed } = await lapseHold(world.pool, owner, '3')
    const foreign = callsOf('document', 'left').map(({ known }) => known.observed.generationId)
    const unknown = await ask(stranger.key, never)
    expect(unknown.status).toBe(404)
    for (const id of [...foreign, lapsed, 'chatcmpl-123', "gen-' OR 1=1"]) {
      expect(await ask(stranger.key, id)).toEqual(unknown)
    }
    expect((await ask(owner.key, lapsed)).status).toBe(200)
  })

  it('[GEN-08] [HOLD-15] shows a call whose process died as refunded', async () => {
    const owner = await world.createClient()
    const { generationId: id } = await lapseHold(world.pool, owner, '3')
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
