import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isBreaker, type LimitedWindow } from '#domain/limits/scopes.ts'
import { windowStart } from '#domain/limits/window.ts'
import { type NanoUsd, nanoUsd } from '#domain/money/nano-usd.ts'
import { newUuid } from '#lib/uuid.ts'
import type { SettleEntry } from '#ports/money.ts'
import { auditLedger } from '#store/postgres/reconciliation/audit-ledger.ts'
import { extendHold, placeHolds, sweepHolds } from '#store/postgres/money/holds.sql.ts'
import { settleDistinct } from '#store/postgres/money/postgres-money.ts'
import { createAccounts, type TestAccounts, type TestClient } from '#test/setup/accounts.ts'
import { createTestDatabase, type TestDatabase } from '#test/setup/database.ts'
import { settleEntry } from './settles.ts'

let database: TestDatabase
let accounts: TestAccounts

beforeAll(async () => {
  database = await createTestDatabase()
  accounts = createAccounts(database.pool, { secret: 'x'.repeat(32), refresh: async () => {} })
})
afterAll(() => database.drop())

/** One operation; `which` picks one of the holds so far. */
type Step =
  | { do: 'hold'; who: number; amounts: number[] }
  | { do: 'extend'; which: number; total: number }
  | { do: 'settle'; which: number; cost: number }
  | { do: 'settle-many'; from: number; cost: number }
  | { do: 'replay'; which: number; cost: number }
  | { do: 'move'; amount: number }
  | { do: 'lapse'; which: number }
  | { do: 'sweep' }

const amount = fc.integer({ min: 0, max: 400 })
const which = fc.nat(60)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('hold' as const),
      who: fc.nat(3),
      amounts: fc.array(amount, { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('extend' as const), which, total: fc.integer({ min: 0, max: 900 }) }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('settle' as const), which, cost: amount }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('settle-many' as const), from: which, cost: amount }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('replay' as const), which, cost: amount }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('move' as const), amount: fc.integer({ min: -300, max: 300 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('lapse' as const), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('sweep' as const) }) },
)

interface Made {
  id: string
  who: Player
}
interface Player {
  caller: TestClient
  /** The customer whose balance pays, or null if the wallet does. */
  customerId: string | null
  windows: readonly LimitedWindow[]
}

it('[P2] [P4] [I8] any course of holds, extensions, settles, sweeps and replays keeps the books', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { maxLength: 12 }), async (rounds) => {
      const players = await newPlayers()
      const game = newGame(players)
      // The steps of a round run concurrently, on their own connections.
      for (const round of rounds) {
        await Promise.all(round.map((next) => game.play(next)))
        await expectSound(players, game.charged)
      }
      // Expired holds of one run would be overdue in a later one on a slow machine.
      await sweepHolds(database.pool, 1_000)
      await expectSound(players, game.charged)
    }),
    { numRuns: 25 },
  )
})

function newGame(players: readonly Player[]) {
  const { pool } = database
  const made: Made[] = []
  /** The charge of each generation, by its first confirmed settlement. */
  const charged = new Map<string, { who: Player; cost: bigint }>()

  async function settle(entries: readonly { entry: SettleEntry; who: Player }[]): Promise<void> {
    const costs = await settleDistinct(
      pool,
      entries.map(({ entry }) => entry),
    )
    for (const [position, { entry, who }] of entries.entries()) {
      const { id } = entry.record
      const cost = costs[position]?.cost ?? -1n
      const known = charged.get(id)
      if (known !== undefined) expect(cost).toBe(known.cost)
      charged.set(id, { who, cost })
    }
  }

  async function play(next: Step): Promise<void> {
    const chosen = 'which' in next ? made[next.which % Math.max(1, made.length)] : undefined
    switch (next.do) {
      case 'hold': {
        const who = players[next.who]
        if (who === undefined) return
        const requests = next.amounts.map((each) => ({
          id: newUuid(Date.now()),
          walletId: who.caller.walletId,
          keyId: who.caller.keyId,
          amount: nanoUsd(BigInt(each)),
          windows: who.windows,
        }))
        const verdicts = await placeHolds(pool, requests, { leaseMs: 60_000, isRetry: false })
        // A rejected request may still be settled, as after a crash: a charge is made with or without its hold.
        for (const [position, { id }] of requests.entries()) {
          if (verdicts[position]?.allowed === true || position % 2 === 0) made.push({ id, who })
        }
        return
      }
      case 'extend':
        if (chosen === undefined) return
        await extendHold(pool, { id: chosen.id, total: nano(next.total), windows: chosen.who.windows }, 60_000)
        return
      case 'settle':
      case 'replay':
        if (chosen === undefined) return
        await settle([settlement(chosen, next.cost)])
        if (next.do === 'replay') await settle([settlement(chosen, next.cost + 1), settlement(chosen, 0)])
        return
      case 'settle-many':
        await settle(made.slice(next.from % Math.max(1, made.length)).map((each) => settlement(each, next.cost)))
        return
      case 'move':
        if (next.amount !== 0) await movePrepaid(players, next.amount)
        return
      case 'lapse':
        await pool.query("UPDATE holds SET lease_until = now() - interval '1 s' WHERE id = $1", [chosen?.id ?? null])
        return
      case 'sweep':
        await sweepHolds(pool, 2)
    }
  }

  return { play, charged }
}

function settlement({ id, who }: Made, cost: number): { entry: SettleEntry; who: Player } {
  return { entry: settleEntry({ ...who.caller, id }, nano(cost), { windows: who.windows }), who }
}

function nano(count: number): NanoUsd {
  return nanoUsd(BigInt(count))
}

/** What the amount does not fit stays where it is. */
async function movePrepaid(players: readonly Player[], amount: number): Promise<void> {
  for (const { caller, customerId } of players) {
    if (customerId === null) continue
    await database.pool.query('SELECT move_customer_balance($1, $2, $3, $4)', [
      newUuid(Date.now()),
      caller.walletId,
      customerId,
      amount,
    ])
  }
}

/** A customer of the last player. */
async function newPrepaid(caller: TestClient): Promise<Player> {
  const customerId = newUuid(Date.now())
  await database.pool.query(
    'INSERT INTO end_customers (id, wallet_id, external_id, is_prepaid) VALUES ($1, $2, $3, true)',
    [customerId, caller.walletId, customerId],
  )
  const windows = [{ kind: 'customer_balance', ownerId: customerId, startsAtMs: 0, limit: nano(0) }]
  const player = { caller, customerId, windows }
  await movePrepaid([player], 500)
  return player
}

/**
 * One player with money but two limits, one with a limit above their money, one with money alone, and a prepaid
 * customer of the last one.
 */
async function newPlayers(): Promise<Player[]> {
  const callers = await Promise.all(
    ['0.000001', '0.000000500', '0.000001'].map((usd) => accounts.createClient({ usd })),
  )
  const nowMs = Date.now()
  const own = callers.map((caller, position): Player => {
    const day = { kind: 'key_day', ownerId: caller.keyId, startsAtMs: windowStart('day', nowMs), limit: nano(800) }
    const hour = { kind: 'user_hour', ownerId: caller.userId, startsAtMs: windowStart('hour', nowMs), limit: nano(600) }
    return { caller, customerId: null, windows: [[day, hour], [day], []][position] ?? [] }
  })
  const [, , last] = own
  return last === undefined ? own : [...own, await newPrepaid(last.caller)]
}

async function expectSound(players: readonly Player[], charged: ReadonlyMap<string, { who: Player; cost: bigint }>) {
  const { pool } = database
  expect(await auditLedger(pool, { overdueMs: 60_000 })).toEqual([])
  for (const player of players) {
    const { walletId } = player.caller
    const mine = [...charged.values()].filter(({ who }) => who.caller === player.caller)
    const total = mine.reduce((sum, { cost }) => sum + cost, 0n)
    const { rows } = await pool.query<Record<'charged' | 'held' | 'open' | 'estimated' | 'balance', string>>(
      `SELECT charged_nano AS charged, held_nano AS held,
         (SELECT coalesce(sum(amount_nano), 0) FROM holds WHERE wallet_id = w.id AND NOT is_prepaid(window_kinds)) + customers_nano AS open,
         (SELECT coalesce(sum(estimate_nano), 0) FROM holds WHERE wallet_id = w.id) AS estimated, balance_nano AS balance
       FROM wallets w WHERE id = $1`,
      [walletId],
    )
    expect(rows).toMatchObject([{ charged: total.toString(), held: rows[0]?.open }])
    expect(BigInt(rows[0]?.balance ?? -1), '[I8] the wallet').toBeGreaterThanOrEqual(BigInt(rows[0]?.held ?? 0))
    for (const { kind, ownerId, startsAtMs, limit } of player.windows) {
      const found = await pool.query<{ spent: string; held: string }>(
        'SELECT spent_nano AS spent, held_nano AS held FROM spend_windows WHERE kind = $1 AND owner_id = $2 AND starts_at = $3',
        [kind, ownerId, startsAtMs],
      )
      const [window] = found.rows
      if (window === undefined) continue
      if (player.customerId !== null) {
        expect(BigInt(window.spent) + BigInt(window.held), '[I8] a balance').toBeLessThanOrEqual(0n)
        continue
      }
      expect(BigInt(window.spent)).toBe(total)
      expect(BigInt(window.held)).toBe(BigInt((isBreaker(kind) ? rows[0]?.estimated : rows[0]?.open) ?? 0))
      if (!isBreaker(kind)) expect(BigInt(window.spent) + BigInt(window.held), '[I8]').toBeLessThanOrEqual(limit)
    }
  }
}
