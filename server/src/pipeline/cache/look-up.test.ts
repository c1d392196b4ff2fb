import { describe, expect, it } from 'vitest'
import { embeddingsDialect } from '#dialects/embeddings/embeddings-dialect.ts'
import { imagesDialect } from '#dialects/images/images-dialect.ts'
import { noUsage } from '#domain/inference/usage.ts'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import { assert } from '#lib/assert.ts'
import { newUuid } from '#lib/uuid.ts'
import type { CacheClaim, CacheEntry, CacheKey } from '#ports/cached-answers.ts'
import { one, two } from '#test/streams/dispatch-stage.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import type { Arrival, CacheFilling, Plan } from '../types.ts'
import { serverOf, writeKept } from './kept-answer.ts'
import { createLookUp } from './look-up.ts'
import { RecentAnswers } from './recent-answers.ts'

const usage = { ...noUsage, textOutput: 1_000 }
const ticket = testTicket({ candidates: [one, two], growth: {} as never, hedgeAfter: 200, isOpenEnded: true })
const from = newUuid(1_000)
const bytes = writeKept(
  {
    createdS: 1_800_000_000,
    status: 200,
    contentType: null,
    ignored: ['logit_bias'],
    server: serverOf(two),
    isCharged: true,
    usage,
    finishReason: 'stop',
    nativeFinishReason: 'stop',
    output: null,
    costText: '17.123456789',
  },
  { body: [], end: `gen-${from.replaceAll('-', '')} costs 17.123456789` },
)
const entryOf = (state: CacheEntry['state'], key: CacheKey): CacheEntry => ({
  key,
  id: from,
  state,
  dataKey: null,
  ageMs: 1_000,
  leftMs: 60_000,
})

interface Scene {
  /** What each look at the row finds, and nothing afterwards. */
  readonly rows?: readonly CacheEntry['state'][]
  readonly isReadable?: boolean
  readonly isClaimed?: boolean
  readonly percent?: number
}

function world({ rows = [], isReadable = true, isClaimed = false, percent = 0 }: Scene = {}) {
  const log: string[] = []
  const clock = { nowMs: 1_000_000 }
  const left = [...rows]
  const claims: CacheClaim[] = []
  const find = async (key: CacheKey, maxAgeMs: number): Promise<CacheEntry | null> => {
    const state = left.shift()
    log.push(`find ${state ?? 'nothing'} for ${maxAgeMs}`)
    return state === undefined ? null : entryOf(state, key)
  }
  const filling = { name: 'filling' } as unknown as CacheFilling
  const recent = new RecentAnswers(() => clock.nowMs)
  const cache = createLookUp({
    answers: {
      find,
      claim: async (key, claim) => {
        claims.push(claim)
        log.push('claim')
        return isClaimed ? null : { key, id: claim.id, dataKey: Buffer.alloc(32) }
      },
      read: async () => {
        log.push('read')
        return isReadable ? bytes : null
      },
      forget: async () => void log.push('forget'),
      fill: () => expect.fail('only a filling fills'),
      refuse: () => expect.fail('only a filling refuses'),
      renew: () => expect.fail('only leases renew'),
    },
    findShared: find,
    recent,
    fill: (_slot, ttlMs) => {
      log.push(`fill for ${ttlMs}`)
      return filling
    },
    terms: { ttlSeconds: 3_600, ttlSecondsMax: 86_400 },
    hitPricePercent: percent,
    joinMs: 10_000,
    count: (outcome) => log.push(outcome),
    onError: (error) => log.push(String(error)),
    nowMs: () => clock.nowMs,
    wait: async (ms) => {
      log.push(`wait ${ms}`)
      clock.nowMs += ms
    },
  })
  const look = async (body: Arrival['body'] = { cache: true }, change: Partial<Plan> = {}, arrived: object = {}) => {
    const arrival = { ...ticket.arrival, ...arrived, body }
    const plan = { ...ticket.plan, ...change }
    return cache({ arrival, principal: ticket.principal, plan, replyHeaders: { 'x-request-id': 'r' } })
  }
  return { log, clock, look, claims, filling, recent }
}

const outcomeOf = ({ replyHeaders }: { replyHeaders: Readonly<Record<string, string>> }) => replyHeaders['x-weir-cache']

describe('a request that asks for the cache', () => {
  it('[NEXT-80] [NEXT-85] gets a kept answer with a plan of its own', async () => {
    const { look, log } = world({ rows: ['complete'], percent: 25 })
    const { arrival, plan, replyHeaders } = await look()
    expect(replyHeaders).toEqual({ 'x-request-id': 'r', 'x-weir-cache': 'hit' })
    expect(log).toEqual(['find complete for 3600000', 'read', 'hit'])
    assert(arrival.cached !== undefined, 'it is a hit')
    expect(arrival.cached).toMatchObject({ from, ignored: ['logit_bias'] })
    expect(arrival.cached.end(nanoUsd(0n))).toBe(`gen-${arrival.generationId.replaceAll('-', '')} costs 0`)
    // A thousand tokens at a quarter of 0.000002.
    const priced = { amount: 500_000n, estimate: 500_000n, heldTokens: 0, isBilled: true, isOpenEnded: false }
    expect(plan).toMatchObject(priced)
    expect(plan.candidates).toEqual([{ ...two, billing: 'cached', hitPricePercent: 25 }])
    for (const gone of ['growth', 'hedgeAfter', 'freeAsks']) expect(plan).not.toHaveProperty(gone)
  })

  it('[NEXT-85] gets an answer for free if the first one was not charged', async () => {
    const own = { candidates: [{ ...two, billing: 'own_key' as const }] }
    const { plan } = await world({ rows: ['complete'], percent: 25 }).look({ cache: true }, own)
    expect(plan).toMatchObject({ amount: 0n, isBilled: false, candidates: [{ hitPricePercent: 0 }] })
  })

  it('[NEXT-90] gets a kept answer that costs as much as it may', async () => {
    const { plan } = await world({ rows: ['complete'], percent: 25 }).look(
      { cache: true },
      { maxCost: nanoUsd(500_000n) },
    )
    expect(plan).toMatchObject({ amount: 500_000n, maxCost: 500_000n })
  })

  it('[NEXT-114] reads row and blob once for repeated requests, until five seconds later', async () => {
    const { look, log, clock } = world({ rows: ['complete', 'complete'] })
    for (const waitMs of [0, 4_999, 1]) {
      clock.nowMs += waitMs
      expect(outcomeOf(await look())).toBe('hit')
    }
    const reading = ['find complete for 3600000', 'read', 'hit']
    expect(log).toEqual([...reading, 'hit', ...reading])
  })

  it('[NEXT-81] takes no answer from memory that none of its candidates gave', async () => {
    const { look, log } = world({ rows: ['complete'] })
    await look()
    expect(outcomeOf(await look({ cache: true }, { candidates: [two] }))).toBe('miss')
    expect(log.slice(3)).toEqual(['find nothing for 3600000', 'claim', 'miss', 'fill for 3600000'])
  })

  it('[NEXT-84] fills the cache if there is no answer', async () => {
    const { look, log, claims, filling } = world()
    const looked = await look({ cache: { ttl_seconds: 60 } })
    expect([outcomeOf(looked), looked.arrival.filling]).toEqual(['miss', filling])
    expect(log).toEqual(['find nothing for 60000', 'claim', 'miss', 'fill for 60000'])
    const { generationId } = ticket.arrival
    expect(claims).toEqual([{ id: generationId, userId: ticket.principal.userId, maxAgeMs: 60_000 }])
  })

  it('[NEXT-84] waits for an identical request, and reads its answer', async () => {
    const { look, log } = world({ rows: ['filling', 'filling', 'complete'] })
    expect(outcomeOf(await look())).toBe('hit')
    const waiting = ['find filling for 3600000', 'wait 50']
    expect(log).toEqual([...waiting, ...waiting, 'find complete for 3600000', 'read', 'joined'])
  })

  it('[NEXT-84] goes to the upstream after ten seconds, and if its client has disconnected', async () => {
    const { look, log } = world({ rows: Array.from({ length: 500 }, () => 'filling' as const) })
    expect(outcomeOf(await look())).toBe('bypass')
    expect(log.filter((line) => line === 'wait 50')).toHaveLength(200)
    const left = world({ rows: ['filling'] })
    const connection = { ...ticket.arrival.connection, gone: true }
    expect(outcomeOf(await left.look({ cache: true }, {}, { connection }))).toBe('bypass')
    expect(left.log).toEqual(['find filling for 3600000', 'bypassed'])
  })

  it('[NEXT-86] goes to the upstream while the answer may not be kept', async () => {
    const { look, log } = world({ rows: ['unfit'] })
    const looked = await look()
    expect([outcomeOf(looked), looked.arrival.filling]).toEqual(['bypass', undefined])
    expect(log).toEqual(['find unfit for 3600000', 'bypassed'])
  })

  it.each([
    ['whose bytes are gone', { isReadable: false }, {}],
    ['of a candidate that is gone', {}, { candidates: [one] }],
    ['[NEXT-90] that costs more than the request may', { percent: 25 }, { maxCost: nanoUsd(499_999n) }],
  ])('[NEXT-89] replaces an answer %s', async (_name, scene, change) => {
    const { look, log } = world({ rows: ['complete'], ...scene })
    expect(outcomeOf(await look({ cache: true }, change))).toBe('miss')
    expect(log.slice(1)).toEqual(['read', 'forget', 'claim', 'miss', 'fill for 3600000'])
  })

  it('waits if another request was faster', async () => {
    const { look, log } = world({ isClaimed: true })
    expect(outcomeOf(await look())).toBe('bypass')
    expect(log.slice(0, 3)).toEqual(['find nothing for 3600000', 'claim', 'wait 50'])
  })
})

const media = (kind: string): Partial<Plan> => ({
  call: { ...ticket.plan.call, media: { task: { kind } as never, worst: noUsage } },
})

describe('a request', () => {
  it('[NEXT-88] without the cache is not touched', async () => {
    const { look, log } = world({ rows: ['complete'] })
    for (const body of [{}, { cache: false }, { cache: null }]) expect(outcomeOf(await look(body))).toBeUndefined()
    expect(log).toEqual([])
  })

  it('[NEXT-80] for embeddings uses the cache', async () => {
    const { look } = world({ rows: ['complete'] })
    const embedding = { ...media('embedding') }
    expect(outcomeOf(await look({ cache: true }, embedding, { dialect: embeddingsDialect }))).toBe('hit')
  })

  it('[NEXT-88] for other media is refused', async () => {
    const { look, log } = world({ rows: ['complete'] })
    const asked = look({ cache: true }, media('image'), { dialect: imagesDialect })
    await expect(asked).rejects.toThrow('`cache` works only for chat completions, responses, messages and embeddings.')
    expect(log).toEqual([])
  })

  it('for several choices or images bypasses the cache', async () => {
    const { look, log } = world({ rows: ['complete'] })
    const several = { call: { ...ticket.plan.call, choiceCount: 2 } }
    const image = { candidates: [one, { ...two, model: { ...two.model, kind: 'image' as const } }] }
    for (const change of [several, image]) expect(outcomeOf(await look({ cache: true }, change))).toBe('bypass')
    expect(log).toEqual(['bypassed', 'bypassed'])
  })
})
