import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noUsage } from '#domain/inference/usage.ts'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import { startOf } from '#lib/utc-calendar.ts'
import { newUuid, type Uuid } from '#lib/uuid.ts'
import type { UsageDimension, UsageRow } from '#ports/usage.ts'
import { dayMs } from '#test/setup/day.ts'
import { createUsageWorld, type SettledRequest, type UsageWorld } from './usage-world.ts'

const nowMs = Date.now()
const range = { startMs: startOf('day', nowMs) - 500 * dayMs, endMs: startOf('day', nowMs) + dayMs }

// Few of each, so that most sums have several requests.
const pick = <Value>(...values: Value[]): fc.Arbitrary<Value> => fc.constantFrom(...values)
const ids = Array.from({ length: 9 }, () => newUuid(nowMs))
const id = (index: number): Uuid => ids[index] ?? newUuid(nowMs)

const request = fc.record({
  keyId: pick(id(0), id(1), id(2)),
  memberId: pick(null, id(3), id(4)),
  teamId: pick(null, id(5), id(6)),
  appName: pick(null, '', 'editor', 'a,b)', '"', 'null'),
  model: pick('acme/small', 'acme/large'),
  provider: pick(null, 'acme', 'other'),
  ageMs: fc.oneof(fc.integer({ min: 0, max: 3 * dayMs }), fc.integer({ min: 0, max: 450 * dayMs })),
  cost: fc.bigInt({ min: 0n, max: 10n ** 15n }),
  prompt: fc.nat(10 ** 9),
  completion: fc.nat(10 ** 9),
  firstTokenMs: fc.option(fc.nat(40_000)),
})
type Request = typeof request extends fc.Arbitrary<infer Value> ? Value : never
// Requests settled together, and whether the rollup runs afterwards.
const history = fc.array(
  fc.record({ settled: fc.array(request, { minLength: 1, maxLength: 12 }), rollsUpAfter: fc.boolean() }),
  {
    minLength: 1,
    maxLength: 8,
  },
)

describe('sums of usage', () => {
  let world: UsageWorld
  beforeAll(async () => {
    world = await createUsageWorld()
  })
  afterAll(() => world.database.drop())

  it('are the same by every dimension and the same as the ledger, whatever was settled and rolled up when (P20)', async () => {
    await fc.assert(
      fc.asyncProperty(history, fc.integer({ min: 1, max: 30 }), async (steps, batchMax) => {
        const walletId = await world.newWallet()
        const requests = steps.flatMap(({ settled }) => settled)
        for (const { settled, rollsUpAfter } of steps) {
          await world.settle(settled.map((one) => settledRequest(walletId, one)))
          if (rollsUpAfter) await world.rollUpAll(batchMax)
        }
        await world.rollUpAll(batchMax)

        const ledger = await chargedTo(world, walletId)
        const expected = totalOf(requests)
        expect(expected.spent).toBe(ledger)
        const ways: UsageDimension[][] = [
          [],
          ['hour'],
          ['day'],
          ['month'],
          ['model'],
          ['app'],
          ['key'],
          ['member'],
          ['team'],
          ['provider'],
          ['day', 'key'],
          ['month', 'member'],
          ['day', 'model', 'app'],
          ['hour', 'key', 'provider', 'app', 'member', 'team', 'model'],
        ]
        for (const by of ways) {
          const rows = await world.usage.sum({ walletId, range, by })
          expect(sumOf(rows), by.join(' and ')).toEqual(expected)
          expect(new Set(rows.map((row) => JSON.stringify(by.map((dimension) => row[dimension])))).size).toBe(
            rows.length,
          )
        }
        await expectSameParts(world, walletId, requests)
      }),
      { numRuns: 40 },
    )
  }, 180_000)
})

/** Compares each part, not only the sum: the spend of one app, key, member or model, by name and through the filter. */
async function expectSameParts(world: UsageWorld, walletId: Uuid, requests: readonly Request[]): Promise<void> {
  const parts = [
    { by: 'app', filter: 'app', valueOf: (one: Request) => one.appName },
    { by: 'model', filter: 'model', valueOf: (one: Request) => one.model },
    { by: 'key', filter: 'keyId', valueOf: (one: Request) => one.keyId },
    { by: 'member', filter: 'memberId', valueOf: (one: Request) => one.memberId },
    { by: 'team', filter: null, valueOf: (one: Request) => one.teamId },
    { by: 'provider', filter: null, valueOf: (one: Request) => one.provider },
  ] as const
  for (const { by, filter, valueOf } of parts) {
    const rows = await world.usage.sum({ walletId, range, by: [by] })
    const values = [...new Set(requests.map(valueOf))]
    expect(rows).toHaveLength(values.length)
    for (const value of values) {
      const expected = totalOf(requests.filter((one) => valueOf(one) === value))
      expect(sumOf(rows.filter((row) => row[by] === value)), `${by} ${value}`).toEqual(expected)
      if (filter === null || value === null) continue
      const filtered = await world.usage.sum({ walletId, range, by: ['day'], filter: { [filter]: value } })
      expect(sumOf(filtered), `days of ${by} ${value}`).toEqual(expected)
    }
  }
}

function settledRequest(walletId: Uuid, one: Request): SettledRequest {
  const { ageMs, cost, prompt, completion, ...others } = one
  return {
    ...others,
    walletId,
    startedAtMs: nowMs - ageMs,
    cost: nanoUsd(cost),
    usage: { ...noUsage, uncachedInput: prompt, textOutput: completion },
  }
}

interface Total {
  requests: number
  spent: bigint
  prompt: number
  completion: number
}

function totalOf(requests: readonly Request[]): Total {
  const total: Total = { requests: requests.length, spent: 0n, prompt: 0, completion: 0 }
  for (const { cost, prompt, completion } of requests) {
    total.spent += cost
    total.prompt += prompt
    total.completion += completion
  }
  return total
}

function sumOf(rows: readonly UsageRow[]): Total {
  return rows.reduce<Total>(
    (sum, row) => ({
      requests: sum.requests + row.requests,
      spent: sum.spent + row.spent,
      prompt: sum.prompt + row.promptTokens,
      completion: sum.completion + row.completionTokens,
    }),
    { requests: 0, spent: 0n, prompt: 0, completion: 0 },
  )
}

async function chargedTo(world: UsageWorld, walletId: Uuid): Promise<bigint> {
  const { rows } = await world.database.pool.query<{ charged: string }>(
    `SELECT coalesce(sum(amount_nano), 0) AS charged FROM ledger_transfers WHERE wallet_id = $1 AND kind = 'charge'`,
    [walletId],
  )
  return BigInt(rows[0]?.charged ?? 0)
}
