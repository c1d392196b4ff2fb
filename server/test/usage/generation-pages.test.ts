import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import { dateOf, startOf } from '#lib/utc-calendar.ts'
import { newUuid, type Uuid } from '#lib/uuid.ts'
import type { GenerationFilter, GenerationPage } from '#ports/account-reads.ts'
import { createGenerationLists } from '#store/postgres/generations/postgres-generation-lists.ts'
import { dayMs } from '#test/setup/day.ts'
import { createUsageWorld, type SettledRequest, type UsageWorld } from './usage-world.ts'

const nowMs = Date.now()
const everything: GenerationFilter = {
  model: null,
  provider: null,
  app: null,
  keyId: null,
  teamId: null,
  endCustomerId: null,
  runId: null,
  tagId: null,
  endUser: null,
  status: null,
  fromMs: null,
  toMs: null,
}

const pick = <Value>(...values: Value[]): fc.Arbitrary<Value> => fc.constantFrom(...values)
const keys = [newUuid(nowMs), newUuid(nowMs)] as const
const teams = [newUuid(nowMs), newUuid(nowMs)] as const

const request = fc.record({
  keyId: pick(...keys),
  teamId: pick(null, ...teams),
  model: pick('acme/small', 'acme/large'),
  provider: pick(null, 'acme'),
  appName: pick(null, 'editor'),
  endUser: pick('ada', 'bob'),
  cost: pick(0n, 7n),
  // Few moments, so that many requests share one.
  ageMs: fc.oneof(
    pick(0, 1, 2),
    fc.integer({ min: 0, max: 300 }).map((days) => days * dayMs),
  ),
})
type DrawnRequest = typeof request extends fc.Arbitrary<infer Drawn> ? Drawn : never
// Mostly null: a filter that matches nothing proves little.
const rarely = <Value>(...values: Value[]): fc.Arbitrary<Value | null> =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: pick(...values) })
const filter: fc.Arbitrary<GenerationFilter> = fc.record({
  keyId: rarely(...keys),
  teamId: rarely(...teams),
  endCustomerId: fc.constant(null),
  runId: fc.constant(null),
  tagId: fc.constant(null),
  endUser: rarely('ada', 'nobody'),
  model: rarely('acme/small', 'nobody/none'),
  provider: rarely('acme'),
  app: rarely('editor'),
  status: rarely(
    'charged' as const,
    'refunded' as const,
    'failed' as const,
    'no_usage' as const,
    'zero_usage' as const,
  ),
  fromMs: rarely(nowMs - 30 * dayMs, nowMs - 1),
  toMs: rarely(nowMs - 5 * dayMs, nowMs, nowMs + 1),
})

describe('pages of requests', () => {
  let world: UsageWorld
  beforeAll(async () => {
    world = await createUsageWorld()
    // Older days have no own partitions here.
    await world.database.pool.query('SELECT ensure_partitions(current_date - 40, 48)')
  })
  afterAll(() => world.database.drop())

  async function newWallet(): Promise<Uuid> {
    const id = await world.newWallet()
    await world.database.pool.query(`UPDATE wallets SET created_at = now() - interval '310 days' WHERE id = $1`, [id])
    return id
  }

  interface Wish {
    filter?: GenerationFilter
    limit?: number
    lookMax?: number
    betweenPages?: () => Promise<void>
  }

  async function listAll(walletId: Uuid, wish: Wish = {}): Promise<GenerationPage[]> {
    const lists = createGenerationLists(world.database.pool, wish.lookMax)
    const pages: GenerationPage[] = []
    let before: Uuid | null = null
    do {
      const { filter: chosen = everything, limit = 20 } = wish
      const scope = { walletId, only: null, userId: null }
      const page: GenerationPage = await lists.list({ scope, filter: chosen, before, limit, nowMs })
      pages.push(page)
      before = page.next
      await wish.betweenPages?.()
    } while (before !== null && pages.length < 500)
    return pages
  }

  it('are together what fits, newest first and each once, whatever the size of a page and however far it looks', async () => {
    const sizes = fc.record({ limit: fc.integer({ min: 1, max: 9 }), lookMax: fc.integer({ min: 1, max: 30 }) })
    await fc.assert(
      fc.asyncProperty(
        fc.array(request, { maxLength: 40 }),
        filter,
        sizes,
        async (drawn, chosen, { limit, lookMax }) => {
          const walletId = await newWallet()
          const settled = requestsOf(walletId, drawn)
          if (settled.length > 0) await world.settle(settled)
          const pages = await listAll(walletId, { filter: chosen, limit, lookMax })
          const expected = settled.filter((one) => fits(one, chosen)).map(({ id }) => id)
          expect(idsOf(pages)).toEqual(expected.toSorted().toReversed())
          expect(pages.every(({ records }) => records.length <= limit)).toBe(true)
        },
      ),
      { numRuns: 30 },
    )
  })

  it('have what was there exactly once while more is being settled', async () => {
    const walletId = await newWallet()
    const make = (count: number, startedAtMs: number) =>
      Array.from({ length: count }, () => ({ id: newUuid(startedAtMs), walletId, keyId: keys[0], startedAtMs }))
    const there = make(40, nowMs)
    await world.settle(there)
    const betweenPages = (): Promise<void> => world.settle(make(3, nowMs + 1))
    const pages = await listAll(walletId, { limit: 7, betweenPages })
    expect(idsOf(pages)).toEqual(
      there
        .map(({ id }) => id)
        .toSorted()
        .toReversed(),
    )
  })

  it('end after a bounded look where a filter fits nothing, and go on from there', async () => {
    const walletId = await newWallet()
    const rare = { id: newUuid(nowMs - 500), walletId, keyId: keys[1], startedAtMs: nowMs - 500 }
    const common = Array.from({ length: 200 }, (_, index) => {
      const startedAtMs = nowMs - index
      return { id: newUuid(startedAtMs), walletId, keyId: keys[0], startedAtMs }
    })
    await world.settle([rare, ...common])
    const pages = await listAll(walletId, { filter: { ...everything, keyId: keys[1] }, lookMax: 50 })
    expect(idsOf(pages)).toEqual([rare.id])
    expect(pages[0]?.records).toEqual([])
    expect(pages.length).toBeGreaterThanOrEqual(4)
    expect(pages.length).toBeLessThanOrEqual(8)
  })

  it('of new requests open no partition of an old day', async () => {
    const walletId = await newWallet()
    await world.settle(Array.from({ length: 30 }, () => ({ walletId, keyId: keys[0], startedAtMs: nowMs })))
    const lists = createGenerationLists(world.database.pool)
    const locker = await world.database.pool.connect()
    try {
      const day = dateOf(startOf('day', nowMs) - 3 * dayMs).replaceAll('-', '')
      await locker.query(`BEGIN; LOCK TABLE generations_${day}`)
      const scope = { walletId, only: null, userId: null }
      const page = await lists.list({ scope, filter: everything, before: null, limit: 20, nowMs })
      expect(page.records).toHaveLength(20)
    } finally {
      await locker.query('ROLLBACK')
      locker.release()
    }
  })
})

function idsOf(pages: readonly GenerationPage[]): Uuid[] {
  return pages.flatMap(({ records }) => records.map(({ id }) => id))
}

function requestsOf(walletId: Uuid, drawn: readonly DrawnRequest[]) {
  return drawn.map(({ ageMs, cost, ...others }) => {
    const startedAtMs = nowMs - ageMs
    const refundReason = cost !== 0n ? null : ageMs % 2 === 0 ? ('no_usage' as const) : ('zero_usage' as const)
    return { id: newUuid(startedAtMs), walletId, startedAtMs, cost: nanoUsd(cost), refundReason, ...others }
  })
}

function fits(one: SettledRequest, chosen: GenerationFilter): boolean {
  return (
    (chosen.keyId ?? one.keyId) === one.keyId &&
    (chosen.endUser ?? one.endUser) === one.endUser &&
    (chosen.teamId ?? one.teamId) === one.teamId &&
    (chosen.model ?? one.model) === one.model &&
    (chosen.provider ?? one.provider) === one.provider &&
    (chosen.app ?? one.appName) === one.appName &&
    hasStatus(one, chosen.status) &&
    (chosen.fromMs ?? one.startedAtMs) <= one.startedAtMs &&
    one.startedAtMs < (chosen.toMs ?? Number.POSITIVE_INFINITY)
  )
}

const failures = new Set<string>([
  'upstream_failed',
  'unusable_answer',
  'stream_interrupted',
  'no_usage',
  'zero_usage',
  'gateway_fault',
])

function hasStatus({ refundReason }: SettledRequest, status: GenerationFilter['status']): boolean {
  if (status === null) return true
  if (status === 'charged') return refundReason === null
  if (status === 'failed') return failures.has(refundReason ?? '')
  return status === 'refunded' ? refundReason !== null : refundReason === status
}
