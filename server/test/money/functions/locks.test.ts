import type { PoolClient } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newUuid } from '#lib/uuid.ts'
import { extendHold } from '#store/postgres/money/holds.sql.ts'
import { settleGenerations } from '#store/postgres/money/settle-generations.sql.ts'
import { settleEntry } from '../settles.ts'
import { holdOf, type MoneyStore, nano, openMoneyStore, startsAtMs } from './money-store.ts'

let store: MoneyStore

beforeAll(async () => {
  store = await openMoneyStore()
})
afterAll(() => store.close())

const waiting = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"

/** Runs while another transaction has an uncommitted debit of 50, which commits once this one waits for it. */
async function behind<Result>(take: { text: string; id: string }, act: () => Promise<Result>): Promise<Result> {
  const client = await store.pool.connect()
  try {
    await client.query('BEGIN')
    await client.query(take.text, [take.id])
    const acting = act()
    await expect.poll(async () => (await store.pool.query(waiting)).rowCount).toBe(1)
    await client.query('COMMIT')
    return await acting
  } finally {
    // Closed, so that nothing stays locked after a failure.
    client.release(true)
  }
}

const takeOf = {
  wallet: 'UPDATE wallets SET held_nano = held_nano + 50 WHERE id = $1',
  window: `UPDATE spend_windows SET held_nano = held_nano + 50 WHERE owner_id = $1 AND kind = 'key_day' AND starts_at = ${startsAtMs}`,
}

/** Whether the wallet can be locked at once. */
async function isFree(client: PoolClient, walletId: string): Promise<boolean> {
  const lock = client.query('SELECT 1 FROM wallets WHERE id = $1 FOR NO KEY UPDATE NOWAIT', [walletId])
  return lock.then(
    () => true,
    () => false,
  )
}

describe('two settles of one generation', () => {
  // The first transaction is a settle of either kind that has its holds and still needs its wallet.
  it.each([
    ['a plain settle', 'DELETE FROM holds WHERE id = $1'],
    ['another settle', 'SELECT 1 FROM holds WHERE id = $1 FOR UPDATE'],
  ])('wait for the hold before they lock the wallet, behind %s', async (_name, taking) => {
    const payer = await store.payer(1_000)
    const hold = holdOf(payer, 30)
    await store.place([hold])
    const entry = settleEntry({ ...payer, id: hold.id }, nano(40), { startedAtMs: startsAtMs })
    const client = await store.pool.connect()
    try {
      await client.query('BEGIN')
      await client.query(taking, [hold.id])
      const settling = settleGenerations(store.pool, [entry])
      await expect.poll(async () => (await store.pool.query(waiting)).rowCount).toBe(1)
      expect(await isFree(client, payer.walletId)).toBe(true)
      await client.query('ROLLBACK')
      expect(await settling).toEqual([{ cost: 40n, absorbed: 0n }])
    } finally {
      client.release(true)
    }
    expect(await store.walletOf(payer)).toEqual({ balance: 960, held: 0, charged: 40 })
  })
})

describe('whoever comes while another takes what is left', () => {
  it('[HOLD-13] holds nothing of it, in a wallet', async () => {
    const payer = await store.payer(100)
    const placed = behind({ text: takeOf.wallet, id: payer.walletId }, () => store.place([holdOf(payer, 51)]))
    expect(await placed).toEqual(['wallet has 50'])
    expect(await store.walletOf(payer)).toMatchObject({ held: 50 })
  })

  it('[HOLD-14] holds nothing of it, under a limit', async () => {
    const payer = await store.payer(1_000)
    const windows = await store.windows(payer, { key_day: 100 })
    await store.place([holdOf(payer, 0, { windows })])
    const placed = behind({ text: takeOf.window, id: payer.keyId }, () => store.place([holdOf(payer, 51, { windows })]))
    expect(await placed).toEqual(['key_day has 50'])
    expect(await store.sumsOf(windows)).toEqual({ key_day: { spent: 0, held: 50 } })
  })

  it('[HOLD-12] grows by the rest of a wallet alone', async () => {
    const payer = await store.payer(100)
    const hold = holdOf(payer, 10)
    await store.place([hold])
    const grown = behind({ text: takeOf.wallet, id: payer.walletId }, () =>
      extendHold(store.pool, { id: hold.id, total: nano(70), windows: [] }, 1_000),
    )
    expect(await grown).toEqual({ total: 50n, refusedBy: 'wallet' })
    expect(await store.walletOf(payer)).toMatchObject({ held: 100 })
  })

  it('[HOLD-12] grows by the rest of a limit alone', async () => {
    const payer = await store.payer(1_000)
    const windows = await store.windows(payer, { key_day: 100 })
    const hold = holdOf(payer, 10, { windows })
    await store.place([hold])
    const grown = behind({ text: takeOf.window, id: payer.keyId }, () =>
      extendHold(store.pool, { id: hold.id, total: nano(70), windows }, 1_000),
    )
    expect(await grown).toEqual({ total: 50n, refusedBy: 'key_day' })
    expect(await store.sumsOf(windows)).toEqual({ key_day: { spent: 0, held: 100 } })
  })

  it('[MONEY-10] is charged the rest of a wallet alone', async () => {
    const payer = await store.payer(100)
    const entry = settleEntry({ ...payer, id: newUuid(startsAtMs) }, nano(60), { startedAtMs: startsAtMs })
    const settled = behind({ text: takeOf.wallet, id: payer.walletId }, () => settleGenerations(store.pool, [entry]))
    expect(await settled).toEqual([{ cost: 50n, absorbed: 10n }])
    expect(await store.walletOf(payer)).toEqual({ balance: 50, held: 50, charged: 50 })
  })
})
