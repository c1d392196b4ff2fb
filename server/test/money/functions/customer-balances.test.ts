import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LimitedWindow } from '#domain/limits/scopes.ts'
import { newUuid } from '#lib/uuid.ts'
import { extendHold, lapseHolds, sweepHolds } from '#store/postgres/money/holds.sql.ts'
import { settleGenerations } from '#store/postgres/money/settle-generations.sql.ts'
import { auditLedger } from '#store/postgres/reconciliation/audit-ledger.ts'
import { settleEntry } from '../settles.ts'
import { holdOf, type MoneyStore, nano, openMoneyStore, startsAtMs, type StorePayer } from './money-store.ts'

let store: MoneyStore

beforeAll(async () => {
  store = await openMoneyStore()
})
afterAll(() => store.close())

/** A customer that is limited by its balance alone. */
async function newCustomer(payer: StorePayer): Promise<{ id: string; windows: readonly LimitedWindow[] }> {
  const id = newUuid(Date.now())
  await store.pool.query(
    `INSERT INTO end_customers (id, wallet_id, external_id, is_prepaid) VALUES ($1, $2, $3, true)`,
    [id, payer.walletId, id],
  )
  return { id, windows: [{ kind: 'customer_balance', ownerId: id, startsAtMs: 0, limit: nano(0) }] }
}

/** The new balance, or what the side that pays has. */
async function move(payer: StorePayer, customer: { id: string }, amount: number): Promise<string> {
  const { rows } = await store.pool.query<{ moved: string }>(
    `SELECT coalesce(balance_nano::text, 'only ' || room_nano) AS moved FROM move_customer_balance($1, $2, $3, $4)`,
    [newUuid(Date.now()), payer.walletId, customer.id, amount],
  )
  return rows[0]?.moved ?? ''
}

async function settle(payer: StorePayer, id: string, cost: number, windows: readonly LimitedWindow[]): Promise<string> {
  const entry = settleEntry({ ...payer, id }, nano(cost), { startedAtMs: startsAtMs, windows })
  const [charge] = await settleGenerations(store.pool, [entry])
  return `${charge?.cost} and ${charge?.absorbed}`
}

/** The balance and held amount of a customer, and those of its wallet with what it put aside. */
async function sumsOf(payer: StorePayer, customer: { id: string }) {
  const { rows } = await store.pool.query<{ balance: number; held: number; aside: number }>(
    `SELECT -s.spent_nano::int AS balance, s.held_nano::int AS held, w.customers_nano::int AS aside FROM spend_windows s, wallets w
     WHERE s.kind = 'customer_balance' AND s.owner_id = $1 AND w.id = $2`,
    [customer.id, payer.walletId],
  )
  return { ...rows[0], wallet: await store.walletOf(payer) }
}

async function expectSoundBooks(): Promise<void> {
  expect(await auditLedger(store.pool, { overdueMs: 60_000 })).toEqual([])
}

describe('a balance of a customer', () => {
  it('[NEXT-26] takes what the wallet has free and gives back what no request holds, and no nano-dollar more', async () => {
    const payer = await store.payer(100, { creditLine: 10 })
    const customer = await newCustomer(payer)
    await store.pool.query('UPDATE wallets SET expired_nano = 5 WHERE id = $1', [payer.walletId])
    await store.place([holdOf(payer, 25)])
    expect(await move(payer, customer, 81)).toBe('only 80')
    expect(await move(payer, customer, 1)).toBe('1')
    expect(await move(payer, customer, 29)).toBe('30')
    expect(await move(payer, customer, 50)).toBe('80')
    expect(await move(payer, customer, 1)).toBe('only 0')
    await store.pool.query('UPDATE wallets SET expired_nano = 0 WHERE id = $1', [payer.walletId])
    await store.place([holdOf(payer, 60, { windows: customer.windows })])
    expect(await move(payer, customer, -21)).toBe('only 20')
    expect(await move(payer, customer, -20)).toBe('60')
    expect(await sumsOf(payer, customer)).toEqual({
      balance: 60,
      held: 60,
      aside: 60,
      wallet: { balance: 100, held: 85, charged: 0 },
    })
    const { rows } = await store.pool.query(
      `SELECT leg || ' ' || debit || ' to ' || credit || ' ' || amount_nano || ' of ' || balance_after_nano AS moved FROM ledger_transfers
       WHERE end_customer_id = $1 AND kind = 'customer_transfer' ORDER BY amount_nano`,
      [customer.id],
    )
    expect(rows.map(({ moved }) => moved)).toEqual([
      '0 wallet to customers 1 of 100',
      '0 customers to wallet 20 of 100',
      '0 wallet to customers 29 of 100',
      '0 wallet to customers 50 of 100',
    ])
    await expectSoundBooks()
  })

  it('[NEXT-27] pays for holds and charges alone, to its last nano-dollar', async () => {
    const payer = await store.payer(100)
    const customer = await newCustomer(payer)
    const { windows } = customer
    expect(await store.place([holdOf(payer, 1, { windows })])).toEqual(['customer_balance has 0'])
    await move(payer, customer, 60)
    expect(await store.place([holdOf(payer, 41), holdOf(payer, 61, { windows })])).toEqual([
      'wallet has 40',
      'customer_balance has 60',
    ])
    const [own, paid, rest] = [holdOf(payer, 40), holdOf(payer, 50, { windows }), holdOf(payer, 10, { windows })]
    expect(await store.place([own, paid, rest, holdOf(payer, 1, { windows })])).toEqual([
      '40 of 40',
      '50 of 50',
      '10 of 10',
      'customer_balance has 0',
    ])
    expect(await settle(payer, paid.id, 45, windows)).toBe('45 and 0')
    expect(await settle(payer, own.id, 30, [])).toBe('30 and 0')
    expect(await sumsOf(payer, customer)).toEqual({
      balance: 15,
      held: 10,
      aside: 15,
      wallet: { balance: 25, held: 15, charged: 75 },
    })
    const { rows } = await store.pool.query(
      `SELECT debit || ' to ' || credit AS moved, end_customer_id AS customer, balance_after_nano::int AS after
       FROM ledger_transfers WHERE id = ANY ($1) ORDER BY balance_after_nano DESC`,
      [[own.id, paid.id]],
    )
    expect(rows).toEqual([
      { moved: 'customers to usage', customer: customer.id, after: 55 },
      { moved: 'wallet to usage', customer: null, after: 25 },
    ])
    await expectSoundBooks()
  })

  it('[NEXT-27] is judged hold by hold beside those of the wallet and of other customers', async () => {
    const payer = await store.payer(100)
    const [one, other] = [await newCustomer(payer), await newCustomer(payer)]
    await move(payer, one, 20)
    await move(payer, other, 70)
    const batch = [
      holdOf(payer, 15, { windows: one.windows }),
      holdOf(payer, 6),
      holdOf(payer, 10, { windows: one.windows }),
      holdOf(payer, 70, { windows: other.windows }),
      holdOf(payer, 5),
      holdOf(payer, 5, { windows: one.windows }),
    ]
    expect(await store.place(batch)).toEqual([
      '15 of 15',
      '6 of 6',
      'customer_balance has 5',
      '70 of 70',
      'wallet has 4',
      '5 of 5',
    ])
    expect(await store.walletOf(payer)).toEqual({ balance: 100, held: 96, charged: 0 })
    await expectSoundBooks()
  })

  it('[NEXT-27] limits the growth of a hold, instead of the wallet', async () => {
    const payer = await store.payer(100)
    const customer = await newCustomer(payer)
    const { windows } = customer
    await move(payer, customer, 90)
    const hold = holdOf(payer, 10, { windows, wish: 80 })
    expect(await store.place([hold, holdOf(payer, 10)])).toEqual(['10 of 90', '10 of 10'])
    const extended = await extendHold(store.pool, { id: hold.id, total: nano(91), windows }, 3_600_000)
    expect(extended).toEqual({ total: 90n, refusedBy: 'customer_balance' })
    expect(await sumsOf(payer, customer)).toMatchObject({ held: 90, wallet: { held: 100 } })
    await expectSoundBooks()
  })

  it('[NEXT-27] grows at once by what its customer has, however little the wallet has', async () => {
    const payer = await store.payer(1_000)
    const customer = await newCustomer(payer)
    await move(payer, customer, 990)
    const windows = customer.windows
    const wide = { windows, wish: 400, comfort: 50 }
    expect(await store.place([holdOf(payer, 10, wide), holdOf(payer, 2, { wish: 9, comfort: 9 })])).toEqual([
      '50 of 1030',
      '9 of 17',
    ])
    await expectSoundBooks()
  })
})

describe('a hold that a balance pays for', () => {
  it('[NEXT-28] goes back to the balance when its request is refunded or lapses', async () => {
    const payer = await store.payer(100)
    const customer = await newCustomer(payer)
    const { windows } = customer
    await move(payer, customer, 60)
    const [refunded, lost] = [holdOf(payer, 25, { windows }), holdOf(payer, 30, { windows })]
    await store.place([refunded, lost])
    // The customer is not prepaid any more, as another process may still believe.
    await store.pool.query('UPDATE end_customers SET is_prepaid = false WHERE id = $1', [customer.id])
    expect(await settle(payer, refunded.id, 0, windows)).toBe('0 and 0')
    expect(await sumsOf(payer, customer)).toMatchObject({ balance: 60, held: 30, wallet: { balance: 100, held: 60 } })
    await lapseHolds(store.pool, [lost.id])
    expect(await sweepHolds(store.pool, 10)).toBe(1)
    expect(await sumsOf(payer, customer)).toMatchObject({ balance: 60, held: 0, wallet: { balance: 100, held: 60 } })
    await expectSoundBooks()
  })

  it('[NEXT-28] is charged late from what the balance still has, and the wallet pays nothing of it', async () => {
    const payer = await store.payer(100)
    const customer = await newCustomer(payer)
    const { windows } = customer
    await move(payer, customer, 60)
    const late = holdOf(payer, 30, { windows })
    await store.place([late])
    await lapseHolds(store.pool, [late.id])
    await sweepHolds(store.pool, 10)
    expect(await move(payer, customer, -40)).toBe('20')
    expect(await settle(payer, late.id, 30, windows)).toBe('20 and 10')
    expect(await settle(payer, late.id, 30, windows)).toBe('20 and 10')
    expect(await sumsOf(payer, customer)).toEqual({
      balance: 0,
      held: 0,
      aside: 0,
      wallet: { balance: 80, held: 0, charged: 20 },
    })
    await expectSoundBooks()
  })

  it('[NEXT-28] is charged beyond its amount from the balance alone', async () => {
    const payer = await store.payer(100)
    const customer = await newCustomer(payer)
    const { windows } = customer
    await move(payer, customer, 60)
    const hold = holdOf(payer, 30, { windows })
    await store.place([hold])
    expect(await settle(payer, hold.id, 70, windows)).toBe('60 and 10')
    expect(await sumsOf(payer, customer)).toMatchObject({ balance: 0, aside: 0, wallet: { balance: 40, held: 0 } })
    await expectSoundBooks()
  })
})

describe("a wallet with less than its customers' balances", () => {
  it('[NEXT-111] rejects the requests of its customers until it covers the balances again', async () => {
    const payer = await store.payer(100)
    const customer = await newCustomer(payer)
    const { windows } = customer
    await move(payer, customer, 60)
    const running = holdOf(payer, 10, { windows })
    await store.place([running])
    // Credit that has expired is spent, as after a dispute the disputed payment is.
    await store.pool.query('UPDATE wallets SET expired_nano = 41 WHERE id = $1', [payer.walletId])
    expect(await store.place([holdOf(payer, 1, { windows })])).toEqual(['wallet has 0'])
    expect(await extendHold(store.pool, { id: running.id, total: nano(11), windows }, 3_600_000)).toEqual({
      total: 10n,
      refusedBy: 'wallet',
    })
    await store.pool.query('UPDATE wallets SET expired_nano = 40 WHERE id = $1', [payer.walletId])
    expect(await store.place([holdOf(payer, 1, { windows })])).toEqual(['1 of 1'])
    await store.pool.query('UPDATE wallets SET expired_nano = 0 WHERE id = $1', [payer.walletId])
    await expectSoundBooks()
  })

  it('[NEXT-111] pays nothing of a late settle with what it lacks, to the nano-dollar', async () => {
    const payer = await store.payer(100, { creditLine: 20 })
    const customer = await newCustomer(payer)
    const { windows } = customer
    await move(payer, customer, 110)
    const line = (nanos: number) =>
      store.pool.query('UPDATE wallets SET credit_line_nano = $2 WHERE id = $1', [payer.walletId, nanos])
    await line(10)
    const hold = holdOf(payer, 10, { windows })
    expect(await store.place([hold])).toEqual(['10 of 10'])
    expect(await extendHold(store.pool, { id: hold.id, total: nano(11), windows }, 3_600_000)).toEqual({
      total: 11n,
      refusedBy: null,
    })
    expect(await settle(payer, newUuid(Date.now()), 5, windows)).toBe('5 and 0')
    await line(9)
    expect(await settle(payer, newUuid(Date.now()), 5, windows)).toBe('0 and 5')
    await line(10)
    await expectSoundBooks()
  })
})

const balance = (sets: string): string =>
  `UPDATE spend_windows SET ${sets} WHERE kind = 'customer_balance' AND owner_id = $1`

describe('the audit', () => {
  it('[NEXT-110] finds a balance that its transfers, its holds or its wallet contradict', async () => {
    const payer = await store.payer(100)
    const customer = await newCustomer(payer)
    await move(payer, customer, 60)
    const findings = async (change: string): Promise<string[]> => {
      const client = store.pool
      await client.query(change, [change.includes('wallets') ? payer.walletId : customer.id])
      const found = await auditLedger(client, { overdueMs: 60_000 })
      return found
        .filter(({ walletId }) => walletId === payer.walletId)
        .map(({ what, expected, found: is }) => `${what}: ${expected}, ${is}`)
    }
    expect(await findings('UPDATE wallets SET customers_nano = 59 WHERE id = $1')).toEqual([
      "the wallet must put aside the sum of its customers' balances: 60, 59",
    ])
    await store.pool.query('UPDATE wallets SET customers_nano = 60 WHERE id = $1', [payer.walletId])
    expect(await findings(balance('spent_nano = -61'))).toEqual([
      "held must equal its open holds and customers' balances: 61, 60",
      "the wallet must put aside the sum of its customers' balances: 61, 60",
      "a customer's balance must equal its transfers: 60, 61",
    ])
    expect(await findings(balance('spent_nano = -60, held_nano = 61'))).toContain(
      "a customer's balance must cover its holds: >= 61, 60",
    )
    await store.pool.query(balance('held_nano = 0'), [customer.id])
    await expectSoundBooks()
  })
})
