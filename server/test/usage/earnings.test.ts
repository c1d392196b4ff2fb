import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type NanoUsd, nanoUsd } from '#domain/money/nano-usd.ts'
import { startOf } from '#lib/utc-calendar.ts'
import { newUuid } from '#lib/uuid.ts'
import type { EarningsGroup, EarningsSums } from '#ports/earnings.ts'
import { createPostgresEarnings } from '#store/postgres/usage/postgres-earnings.ts'
import { dayMs } from '#test/setup/day.ts'
import { createUsageWorld, type UsageWorld } from './usage-world.ts'

const today = startOf('day', Date.now())
const range = { startMs: today - 60 * dayMs, endMs: today + dayMs }
const keyId = newUuid(today)

const amount = fc.bigInt({ min: 0n, max: 10n ** 15n })
const request = fc.record({
  wallet: fc.nat(2),
  model: fc.constantFrom('acme/small', 'acme/large'),
  provider: fc.constantFrom(null, 'acme', 'other'),
  ageDays: fc.nat(50),
  cost: amount,
  absorbed: fc.oneof(fc.constant(0n), amount),
  providerCost: fc.option(amount, { nil: undefined }),
})
type Request = typeof request extends fc.Arbitrary<infer Value> ? Value : never
const history = fc.array(fc.tuple(fc.array(request, { minLength: 1, maxLength: 10 }), fc.boolean()), {
  minLength: 1,
  maxLength: 6,
})

describe('earnings', () => {
  let world: UsageWorld
  beforeAll(async () => {
    world = await createUsageWorld()
  })
  afterAll(() => world.database.drop())

  it('are the charges of the ledger and the cost of every request, by every group, whatever was rolled up when', async () => {
    const earnings = createPostgresEarnings(world.database.pool)
    await fc.assert(
      fc.asyncProperty(history, fc.integer({ min: 1, max: 20 }), async (steps, batchMax) => {
        await world.database.pool.query('TRUNCATE earning_days')
        const wallets = await Promise.all([world.newWallet(), world.newWallet(), world.newWallet()])
        const walletOf = ({ wallet }: Request): string => wallets[wallet] ?? ''
        for (const [settled, rollsUpAfter] of steps) {
          await world.settle(
            settled.map(({ model, provider, providerCost, ...one }) => ({
              walletId: walletOf({ model, provider, providerCost, ...one }),
              keyId,
              startedAtMs: today - one.ageDays * dayMs,
              model,
              provider,
              cost: nanoUsd(one.cost),
              absorbed: nanoUsd(one.absorbed),
              ...(providerCost === undefined ? {} : { providerCost: nanoUsd(providerCost) }),
            })),
          )
          await world.database.pool.query('UPDATE generations SET settled_at = started_at')
          if (rollsUpAfter) await world.rollUpAll(batchMax)
        }
        await world.rollUpAll(batchMax)

        const requests = steps.flatMap(([settled]) => settled)
        const keys: Readonly<Record<EarningsGroup, (one: Request) => string | null>> = {
          day: ({ ageDays }) => new Date(today - ageDays * dayMs).toISOString().slice(0, 10),
          model: ({ model }) => model,
          provider: ({ provider }) => provider,
          customer: walletOf,
        }
        for (const by of ['day', 'model', 'provider', 'customer'] as const) {
          const { total, rows } = await earnings.sum({ range, by, limit: 1_000 })
          expect(total).toEqual(totalOf(requests))
          const expected = Map.groupBy(requests, keys[by])
          expect(new Map(rows.map(({ key, owner: _, ...sums }) => [key, sums]))).toEqual(
            new Map([...expected].map(([key, some]) => [key, totalOf(some)])),
          )
        }
        const { total } = await earnings.sum({ range, by: 'model', limit: 1 })
        expect(total.charged).toBe(await chargedTo(wallets))
      }),
      { numRuns: 30 },
    )
  }, 180_000)

  it('list the groups with the highest charges first, name customers, and leave the total whole', async () => {
    const { pool } = world.database
    await pool.query('TRUNCATE earning_days')
    const earnings = createPostgresEarnings(pool)
    const [person, deleted] = [newUuid(today), newUuid(today)]
    await pool.query(`INSERT INTO users (id, email) VALUES ($1, 'ada@weir.test')`, [person])
    await pool.query(
      `INSERT INTO wallets (id, owner_kind, owner_id) VALUES ($1, 'user', $1), ($2, 'organization', $2)`,
      [person, deleted],
    )
    await pool.query(
      `INSERT INTO earning_days VALUES ($1, $2, 'm', 'p', 1, 5, 0, 9), ($1, $3, 'm', 'p', 1, 10, 0, 10), ($1, $2, 'n', 'p', 1, 4, 1, 0)`,
      [new Date(today).toISOString().slice(0, 10), person, deleted],
    )
    expect(await earnings.sum({ range, by: 'customer', limit: 1 })).toEqual({
      total: { requests: 3, charged: 19n, absorbed: 1n, providerCost: 19n },
      rows: [
        {
          key: deleted,
          owner: { kind: 'organization', id: deleted, name: null },
          requests: 1,
          charged: 10n,
          absorbed: 0n,
          providerCost: 10n,
        },
      ],
    })
    const { rows } = await earnings.sum({ range, by: 'customer', limit: 2 })
    expect(rows[1]?.owner).toEqual({ kind: 'user', id: person, name: 'ada@weir.test' })
  })

  it('of a range without requests are zero', async () => {
    const empty = { startMs: today + 9 * dayMs, endMs: today + 10 * dayMs }
    expect(await createPostgresEarnings(world.database.pool).sum({ range: empty, by: 'day', limit: 10 })).toEqual({
      total: { requests: 0, charged: 0n, absorbed: 0n, providerCost: 0n },
      rows: [],
    })
  })

  async function chargedTo(wallets: readonly string[]): Promise<bigint> {
    const { rows } = await world.database.pool.query<{ charged: string }>(
      `SELECT coalesce(sum(amount_nano), 0) AS charged FROM ledger_transfers
       WHERE wallet_id = ANY ($1) AND kind = 'charge'`,
      [wallets],
    )
    return BigInt(rows[0]?.charged ?? 0)
  }
})

function totalOf(requests: readonly Request[]): EarningsSums {
  return {
    requests: requests.length,
    charged: sum(requests.map(({ cost }) => cost)),
    absorbed: sum(requests.map(({ absorbed }) => absorbed)),
    providerCost: sum(requests.map(({ cost, absorbed, providerCost }) => providerCost ?? cost + absorbed)),
  }
}

function sum(amounts: readonly bigint[]): NanoUsd {
  return nanoUsd(amounts.reduce((one, other) => one + other, 0n))
}
