import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LimitedWindow } from '#domain/limits/scopes.ts'
import { newUuid } from '#lib/uuid.ts'
import { extendHold } from '#store/postgres/money/holds.sql.ts'
import { holdOf, type MoneyStore, nano, openMoneyStore } from './money-store.ts'

let store: MoneyStore

beforeAll(async () => {
  store = await openMoneyStore()
})
afterAll(() => store.close())

const hour = 3_600_000

async function extend(
  id: string,
  total: number,
  windows: readonly LimitedWindow[] = [],
  leaseMs = hour,
): Promise<string> {
  const extended = await extendHold(store.pool, { id, total: nano(total), windows }, leaseMs)
  return extended === null ? 'gone' : `${extended.total} ${extended.refusedBy}`
}

describe('a hold that grows', () => {
  it('[HOLD-12] takes the last of the wallet, and is told what was short of more', async () => {
    const payer = await store.payer(80, { creditLine: 20 })
    const hold = holdOf(payer, 30)
    await store.place([hold, holdOf(payer, 5)])
    expect(await extend(hold.id, 60)).toBe('60 null')
    expect(await store.walletOf(payer)).toEqual({ balance: 80, held: 65, charged: 0 })
    expect(await extend(hold.id, 95)).toBe('95 null')
    expect(await extend(hold.id, 96)).toBe('95 wallet')
    expect(await store.walletOf(payer)).toMatchObject({ held: 100 })
  })

  it('[HOLD-12] takes what there is where that is not all', async () => {
    const payer = await store.payer(100)
    const hold = holdOf(payer, 30)
    await store.place([hold])
    expect(await extend(hold.id, 101)).toBe('100 wallet')
    expect(await store.walletOf(payer)).toMatchObject({ held: 100 })
  })

  it('grows by a single nano-dollar', async () => {
    const payer = await store.payer(100)
    const hold = holdOf(payer, 30)
    await store.place([hold])
    expect(await extend(hold.id, 31)).toBe('31 null')
    expect(await store.walletOf(payer)).toMatchObject({ held: 31 })
  })

  it('is left alone while it is being settled, so that the two do not wait for each other', async () => {
    const payer = await store.payer(100)
    const hold = holdOf(payer, 30)
    await store.place([hold])
    const client = await store.pool.connect()
    try {
      await client.query('BEGIN')
      await client.query('DELETE FROM holds WHERE id = $1', [hold.id])
      expect(await extend(hold.id, 60)).toBe('gone')
      await client.query('ROLLBACK')
    } finally {
      client.release()
    }
    expect(await extend(hold.id, 60)).toBe('60 null')
  })

  it('never shrinks', async () => {
    const payer = await store.payer(100)
    const hold = holdOf(payer, 30)
    await store.place([hold])
    expect([await extend(hold.id, 30), await extend(hold.id, 10)]).toEqual(['30 null', '30 null'])
    expect(await store.walletOf(payer)).toMatchObject({ held: 30 })
  })

  it('is gone once it has ended, and takes nothing', async () => {
    const payer = await store.payer(100)
    await store.place([holdOf(payer, 30)])
    expect(await extend(newUuid(Date.now()), 50)).toBe('gone')
    expect(await store.walletOf(payer)).toMatchObject({ held: 30 })
  })

  it('[HOLD-12] takes the last of its limits; the least room is named, then the first name', async () => {
    const payer = await store.payer(1_000)
    const windows = await store.windows(payer, { key_week: 100, key_day: 120 })
    const hold = holdOf(payer, 30, { windows })
    await store.place([hold, holdOf(payer, 10, { windows })])
    expect(await extend(hold.id, 90, windows)).toBe('90 null')
    expect(await extend(hold.id, 91, windows)).toBe('90 key_week')
    expect(await store.sumsOf(windows)).toEqual({ key_week: { spent: 0, held: 100 }, key_day: { spent: 0, held: 100 } })
    const [week, day] = [windows[0], windows[1]].flatMap((window) => window ?? [])
    const equal = [week, day].flatMap((window) => (window === undefined ? [] : [{ ...window, limit: nano(100) }]))
    expect(await extend(hold.id, 91, equal)).toBe('90 key_day')
  })

  it('counts what was spent in its limits', async () => {
    const payer = await store.payer(1_000)
    const windows = await store.windows(payer, { key_day: 100 })
    const hold = holdOf(payer, 30, { windows })
    await store.place([hold])
    await spend(windows, 50)
    expect(await extend(hold.id, 51, windows)).toBe('50 key_day')
    expect(await store.sumsOf(windows)).toEqual({ key_day: { spent: 50, held: 50 } })
  })

  it('takes nothing, rather than less than nothing, where a limit was lowered', async () => {
    const payer = await store.payer(1_000)
    const windows = await store.windows(payer, { key_day: 100 })
    const hold = holdOf(payer, 30, { windows })
    await store.place([hold])
    const lowered = windows.map((window) => ({ ...window, limit: nano(20) }))
    expect(await extend(hold.id, 40, lowered)).toBe('30 key_day')
    expect(await store.sumsOf(windows)).toEqual({ key_day: { spent: 0, held: 30 } })
  })

  it('does not count in breakers, and stops where others have filled one', async () => {
    const payer = await store.payer(1_000)
    const windows = await store.windows(payer, { user_minute: 100, key_day: 500 })
    const hold = holdOf(payer, 40, { windows, estimate: 10 })
    await store.place([hold])
    await spend(windows.slice(0, 1), 95)
    // 95 plus its own estimate of 10 exceeds the breaker, 95 alone does not.
    expect(await extend(hold.id, 300, windows)).toBe('300 null')
    expect(await store.sumsOf(windows)).toEqual({
      user_minute: { spent: 95, held: 10 },
      key_day: { spent: 0, held: 300 },
    })
    await spend(windows.slice(0, 1), 100)
    expect(await extend(hold.id, 301, windows)).toBe('300 user_minute')
    expect(await store.walletOf(payer)).toMatchObject({ held: 300 })
  })

  it('counts holds of others in breakers', async () => {
    const payer = await store.payer(1_000)
    const windows = await store.windows(payer, { user_minute: 100 })
    const hold = holdOf(payer, 40, { windows, estimate: 10 })
    await store.place([hold, holdOf(payer, 40, { windows, estimate: 60 })])
    await spend(windows, 39)
    expect(await extend(hold.id, 50, windows)).toBe('50 null')
    await spend(windows, 40)
    expect(await extend(hold.id, 60, windows)).toBe('50 user_minute')
  })

  it('is leased for longer, and never for less', async () => {
    const payer = await store.payer(100)
    const hold = holdOf(payer, 30)
    await store.place([hold], { leaseMs: hour })
    const lease = async (): Promise<number> => {
      const { rows } = await store.pool.query<{ lease: number }>(
        'SELECT extract(epoch FROM lease_until - placed_at)::float AS lease FROM holds WHERE id = $1',
        [hold.id],
      )
      return rows[0]?.lease ?? 0
    }
    const before = await lease()
    await extend(hold.id, 40, [], 1_000)
    expect(await lease()).toBe(before)
    await extend(hold.id, 50, [], 3 * hour)
    expect(await lease()).toBeGreaterThanOrEqual(before + (2 * hour) / 1_000)
  })
})

async function spend(windows: readonly LimitedWindow[], spent: number): Promise<void> {
  for (const { kind, ownerId, startsAtMs } of windows) {
    await store.pool.query(
      'UPDATE spend_windows SET spent_nano = $4 WHERE kind = $1 AND owner_id = $2 AND starts_at = $3',
      [kind, ownerId, startsAtMs, spent],
    )
  }
}
