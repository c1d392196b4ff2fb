import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sweepHolds } from '#store/postgres/money/holds.sql.ts'
import { holdOf, type MoneyStore, openMoneyStore } from './money-store.ts'

let store: MoneyStore

beforeAll(async () => {
  store = await openMoneyStore()
})
afterAll(() => store.close())
beforeEach(() => store.pool.query('DELETE FROM holds'))

async function lapse(id: string, minutesAgo: number): Promise<void> {
  await store.pool.query("UPDATE holds SET lease_until = now() - $2 * interval '1 minute' WHERE id = $1", [
    id,
    minutesAgo,
  ])
}

describe('a sweep', () => {
  it('[HOLD-15] returns what lapsed to wallet and windows, notes it, and leaves the rest', async () => {
    const [payer, other] = [await store.payer(1_000), await store.payer(1_000)]
    const windows = await store.windows(payer, { key_day: 500, user_minute: 500 })
    const [lost, also] = [holdOf(payer, 40, { windows, estimate: 4 }), holdOf(payer, 30, { windows, estimate: 3 })]
    const alive = holdOf(payer, 20, { windows, estimate: 2 })
    const foreign = holdOf(other, 7)
    await store.place([lost, also, alive, foreign])
    for (const { id } of [lost, also]) await lapse(id, 1)
    expect(await sweepHolds(store.pool, 10)).toBe(2)
    expect(await store.sumsOf(windows)).toEqual({ key_day: { spent: 0, held: 20 }, user_minute: { spent: 0, held: 2 } })
    expect([await store.walletOf(payer), await store.walletOf(other)]).toEqual([
      { balance: 1_000, held: 20, charged: 0 },
      { balance: 1_000, held: 7, charged: 0 },
    ])
    const { rows } = await store.pool.query(
      'SELECT id, wallet_id AS wallet, key_id AS key, amount_nano::int AS amount FROM lapsed_holds WHERE wallet_id = $1 ORDER BY amount_nano',
      [payer.walletId],
    )
    const of = { wallet: payer.walletId, key: payer.keyId }
    expect(rows).toEqual([
      { id: also.id, amount: 30, ...of },
      { id: lost.id, amount: 40, ...of },
    ])
    expect(await sweepHolds(store.pool, 10)).toBe(0)
  })

  it('leaves a hold that is being settled, so that the two do not wait for each other', async () => {
    const payer = await store.payer(1_000)
    const [settled, lost] = [holdOf(payer, 40), holdOf(payer, 30)]
    await store.place([settled, lost])
    for (const { id } of [settled, lost]) await lapse(id, 1)
    const client = await store.pool.connect()
    try {
      await client.query('BEGIN')
      await client.query('DELETE FROM holds WHERE id = $1', [settled.id])
      expect(await sweepHolds(store.pool, 10)).toBe(1)
      await client.query('ROLLBACK')
    } finally {
      client.release()
    }
    expect(await store.walletOf(payer)).toMatchObject({ held: 40 })
  })

  it('[HOLD-15] takes those that lapsed first where there are too many', async () => {
    const payer = await store.payer(1_000)
    const holds = [1, 2, 4].map((amount) => holdOf(payer, amount))
    await store.place(holds)
    for (const [at, { id }] of holds.entries()) await lapse(id, [5, 9, 7][at] ?? 0)
    expect(await sweepHolds(store.pool, 2)).toBe(2)
    expect(await store.walletOf(payer)).toMatchObject({ held: 1 })
    expect(await sweepHolds(store.pool, 2)).toBe(1)
    expect(await store.walletOf(payer)).toMatchObject({ held: 0 })
  })
})
