import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Refusal } from '#domain/ledger/refusal.ts'
import type { UsageScope } from '#domain/usage/usage-scope.ts'
import { startOf } from '#lib/utc-calendar.ts'
import { newUuid, type Uuid } from '#lib/uuid.ts'
import type { RefusalBatch, RefusalPage } from '#ports/refusals.ts'
import { createRefusalLists } from '#store/postgres/refusals/postgres-refusal-lists.ts'
import { createRefusalStore } from '#store/postgres/refusals/write-refusals.sql.ts'
import { createPostgresRetention } from '#store/postgres/usage/postgres-retention.ts'
import { createSampleDatabase, type TestDatabase } from '#test/setup/database.ts'
import { dayMs } from '#test/setup/day.ts'

const nowMs = Date.now()
const oldestDaysAgo = 10
const hourMs = startOf('hour', nowMs)

function refusalOf(special: Partial<Refusal> = {}, atMs = nowMs): Refusal {
  return {
    id: newUuid(atMs),
    keyId: newUuid(nowMs),
    walletId: newUuid(nowMs),
    userId: null,
    organizationId: null,
    memberId: null,
    teamId: null,
    endpoint: 'chat',
    error: 'rateLimited',
    status: 429,
    boundBy: null,
    model: null,
    ...special,
  }
}

const scopeOf = (walletId: Uuid) => ({ walletId, only: null, userId: null })

const idsOf = (...refusals: Refusal[]) =>
  refusals
    .map(({ id }) => id)
    .toSorted()
    .toReversed()

describe('refused requests in Postgres', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createSampleDatabase()
    // Refusals are looked for from the oldest partition on.
    await database.pool.query('SELECT ensure_partitions(current_date - $1::integer, 20)', [oldestDaysAgo])
  })
  afterAll(() => database.drop())

  const write = (batch: Partial<RefusalBatch>) =>
    createRefusalStore(database.pool).write({
      writer: newUuid(nowMs),
      number: 1,
      refusals: [],
      counts: [],
      ...batch,
    })
  const countOf = async (walletId: Uuid, query = {}) =>
    createRefusalLists(database.pool).count({
      scope: scopeOf(walletId),
      keyId: null,
      fromMs: hourMs,
      toMs: hourMs + 3_600_000,
      ...query,
    })

  it('count once, however often and from however many connections a batch is sent', async () => {
    const refusal = refusalOf()
    const { walletId, keyId } = refusal
    const counts = [{ hourMs, walletId, keyId, error: 'rateLimited', count: 5 }]
    const batch = { writer: newUuid(nowMs), number: 1, refusals: [refusal], counts }
    expect(await Promise.all(Array.from({ length: 6 }, () => write(batch)))).toEqual(Array(6).fill('written'))
    expect(await write(batch)).toBe('written')
    expect(await countOf(walletId)).toEqual([{ error: 'rateLimited', count: 5 }])
    // The next batch of the writer, the first of another one, and a late repetition of the first.
    await write({ ...batch, number: 2, refusals: [refusalOf({ walletId, keyId })] })
    await write({ ...batch, writer: newUuid(nowMs), refusals: [refusalOf({ walletId, keyId })] })
    await write(batch)
    expect(await countOf(walletId)).toEqual([{ error: 'rateLimited', count: 15 }])
    const { rowCount } = await database.pool.query('SELECT 1 FROM refusals WHERE wallet_id = $1', [walletId])
    expect(rowCount).toBe(3)
  })

  it('are counted by hour, key and error', async () => {
    const [walletId, one, other] = [newUuid(nowMs), newUuid(nowMs), newUuid(nowMs)]
    const count = { hourMs, walletId, keyId: one, error: 'rateLimited', count: 1 }
    await write({
      counts: [
        count,
        { ...count, error: 'insufficientCredits', count: 10 },
        { ...count, keyId: other, count: 100 },
        { ...count, hourMs: hourMs - 3_600_000, count: 1_000 },
        { ...count, walletId: newUuid(nowMs), count: 10_000 },
      ],
    })
    expect(await countOf(walletId)).toEqual([
      { error: 'rateLimited', count: 101 },
      { error: 'insufficientCredits', count: 10 },
    ])
    expect(await countOf(walletId, { keyId: one })).toEqual([
      { error: 'insufficientCredits', count: 10 },
      { error: 'rateLimited', count: 1 },
    ])
    expect(await countOf(walletId, { fromMs: hourMs - 3_600_000, toMs: hourMs })).toEqual([
      { error: 'rateLimited', count: 1_000 },
    ])
    expect(await countOf(walletId, { scope: { ...scopeOf(walletId), only: { keyId: other } } })).toEqual([
      { error: 'rateLimited', count: 100 },
    ])
  })

  it('are given up as lost where Postgres rejects what they contain', async () => {
    expect(await write({ counts: [{ ...refusalOf(), hourMs, count: 0 }] })).toBe('lost')
  })

  it('are together on all pages what fits, newest first and each once', async () => {
    const drawn = fc.record({
      keyId: fc.constantFrom(newUuid(nowMs), newUuid(nowMs)),
      model: fc.constantFrom(null, 'acme/large'),
      ageMs: fc.oneof(
        fc.constantFrom(0, 1, 2),
        fc.constantFrom(1, 3, 9).map((days) => days * dayMs),
      ),
    })
    const sizes = fc.record({ limit: fc.integer({ min: 1, max: 7 }), lookMax: fc.integer({ min: 1, max: 20 }) })
    const filters = fc.record({ model: fc.constantFrom(null, 'acme/large'), isOneKey: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(fc.array(drawn, { maxLength: 30 }), sizes, filters, async (all, { limit, lookMax }, chosen) => {
        const walletId = newUuid(nowMs)
        const refusals = all.map(({ ageMs, ...fields }) => refusalOf({ walletId, ...fields }, nowMs - ageMs))
        await write({ refusals })
        const keyId = chosen.isOneKey ? (refusals[0]?.keyId ?? null) : null
        const filter = { model: chosen.model, keyId, teamId: null, fromMs: null, toMs: null }
        const lists = createRefusalLists(database.pool, lookMax)
        const pages: RefusalPage[] = []
        for (
          let before: Uuid | null | undefined = null;
          before !== undefined;
          before = pages.at(-1)?.next ?? undefined
        ) {
          pages.push(await lists.list({ scope: scopeOf(walletId), filter, before, limit, nowMs }))
        }
        const fitting = refusals.filter(
          (one) => (keyId === null || one.keyId === keyId) && (chosen.model === null || one.model === chosen.model),
        )
        const expected = fitting.toSorted((one, other) => (one.id < other.id ? 1 : -1))
        expect(pages.flatMap(({ records }) => records)).toEqual(expected)
        expect(pages.every(({ records }) => records.length <= limit)).toBe(true)
      }),
      { numRuns: 25 },
    )
  })

  it('are those of the wallet, the member or the key, and of nothing else', async () => {
    const [walletId, userId, memberId, keyId] = [newUuid(nowMs), newUuid(nowMs), newUuid(nowMs), newUuid(nowMs)]
    const own = refusalOf({ walletId, userId, memberId, keyId })
    const other = newUuid(nowMs)
    const [ofKey, ofMember, ofUser, ofWallet] = [
      refusalOf({ ...own, id: newUuid(nowMs), keyId: other }),
      refusalOf({ ...own, id: newUuid(nowMs), memberId: other }),
      refusalOf({ ...own, id: newUuid(nowMs), memberId: other, userId: other }),
      refusalOf({ ...own, id: newUuid(nowMs), walletId: other }),
    ]
    await write({ refusals: [own, ofKey, ofMember, ofUser, ofWallet] })
    const filter = { model: null, keyId: null, teamId: null, fromMs: null, toMs: null }
    const lists = createRefusalLists(database.pool)
    const listed = async (only: UsageScope['only'], user: Uuid | null) => {
      const scope = { walletId, only, userId: user }
      return (await lists.list({ scope, filter, before: null, limit: 10, nowMs })).records.map(({ id }) => id)
    }
    expect(await listed(null, null)).toEqual(idsOf(own, ofKey, ofMember, ofUser))
    expect(await listed({ memberId }, userId)).toEqual(idsOf(own, ofKey))
    expect(await listed({ memberId }, null)).toEqual(idsOf(own, ofKey))
    expect(await listed({ keyId }, null)).toEqual(idsOf(own, ofMember, ofUser))
  })

  it('are dropped by the day, with their counts and what lies in no partition', async () => {
    const { pool } = database
    const walletId = newUuid(nowMs)
    const ages = [0, 1, 2, 3, 4, oldestDaysAgo, oldestDaysAgo + 3]
    const momentOf = (age: number) => startOf('day', nowMs) - age * dayMs + 1
    await write({
      refusals: ages.map((age) => refusalOf({ walletId }, momentOf(age))),
      counts: ages.map((age) => ({ ...refusalOf({ walletId }), hourMs: startOf('hour', momentOf(age)), count: 1 })),
    })
    const writers = [newUuid(nowMs), newUuid(nowMs)]
    for (const [position, days] of [29, 31].entries()) {
      await pool.query(
        `INSERT INTO refusal_writers (id, batch, written_at) VALUES ($1, 1, now() - $2 * interval '1 day')`,
        [writers[position], days],
      )
    }
    const retention = createPostgresRetention(pool)
    const dropped: string[] = []
    for (;;) {
      const outcome = await retention.dropRefusals(2)
      if (outcome.kind !== 'dropped') break
      dropped.push(outcome.partition)
    }
    const dayOf = (age: number) => new Date(momentOf(age)).toISOString().slice(0, 10).replaceAll('-', '')
    expect(dropped).toEqual([10, 9, 8, 7, 6, 5, 4, 3].map((age) => `refusals_${dayOf(age)}`))
    const kept = await pool.query('SELECT 1 FROM refusals WHERE wallet_id = $1', [walletId])
    expect(kept.rowCount).toBe(3)
    const all = { fromMs: momentOf(30), toMs: nowMs + dayMs }
    expect(await countOf(walletId, all)).toEqual([{ error: 'rateLimited', count: 3 }])
    const left = await pool.query<{ id: string }>('SELECT id FROM refusal_writers WHERE id = ANY ($1)', [writers])
    expect(left.rows).toEqual([{ id: writers[0] }])
    expect(await retention.dropRefusals(2)).toEqual({ kind: 'nothing' })
  })
})
