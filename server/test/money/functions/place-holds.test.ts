import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newUuid } from '#lib/uuid.ts'
import { holdOf, type MoneyStore, nano, openMoneyStore, startsAtMs } from './money-store.ts'

let store: MoneyStore

beforeAll(async () => {
  store = await openMoneyStore()
})
afterAll(() => store.close())

describe('a hold over a wallet', () => {
  it('[HOLD-13] takes all there is, and a nano-dollar more takes nothing', async () => {
    const payer = await store.payer(100)
    expect(await store.place([holdOf(payer, 101)])).toEqual(['wallet has 100'])
    expect(await store.walletOf(payer)).toMatchObject({ balance: 100, held: 0 })
    expect(await store.place([holdOf(payer, 30), holdOf(payer, 70)])).toEqual(['30 of 30', '70 of 70'])
    expect(await store.walletOf(payer)).toEqual({ balance: 100, held: 100, charged: 0 })
    expect(await store.place([holdOf(payer, 1)])).toEqual(['wallet has 0'])
  })

  it('[HOLD-13] of a batch is judged in its order: what still fits is held', async () => {
    const payer = await store.payer(100)
    const batch = [60, 41, 30, 11, 10].map((amount) => holdOf(payer, amount))
    expect(await store.place(batch)).toEqual(['60 of 60', 'wallet has 40', '30 of 30', 'wallet has 10', '10 of 10'])
    expect(await store.walletOf(payer)).toMatchObject({ held: 100 })
  })

  it('[MONEY-07] reaches to the end of a credit line', async () => {
    const payer = await store.payer(10, { creditLine: 50 })
    expect(await store.place([holdOf(payer, 61)])).toEqual(['wallet has 60'])
    expect(await store.place([holdOf(payer, 20), holdOf(payer, 40), holdOf(payer, 1)])).toEqual([
      '20 of 20',
      '40 of 40',
      'wallet has 0',
    ])
  })

  it('[MONEY-07] is told what is left of the line by those before it', async () => {
    const payer = await store.payer(10, { creditLine: 50 })
    expect(await store.place([holdOf(payer, 20), holdOf(payer, 45)])).toEqual(['20 of 20', 'wallet has 40'])
  })

  it('takes the only nano-dollar once', async () => {
    const payer = await store.payer(1)
    expect(await store.place([holdOf(payer, 1), holdOf(payer, 1)])).toEqual(['1 of 1', 'wallet has 0'])
  })

  it('of nothing needs a wallet that is not empty', async () => {
    const [empty, poor] = [await store.payer(0), await store.payer(1)]
    expect(await store.place([holdOf(empty, 0)])).toEqual(['wallet has 0'])
    expect(await store.place([holdOf(poor, 0)])).toEqual(['0 of 0'])
    const owing = await store.payer(0, { creditLine: 1 })
    expect(await store.place([holdOf(owing, 0)])).toEqual(['0 of 0'])
    expect(await store.place([holdOf({ ...poor, walletId: newUuid(Date.now()) }, 0)])).toEqual(['wallet has 0'])
  })

  it('is none of the business of other wallets in its batch', async () => {
    const [rich, short] = [await store.payer(100), await store.payer(10)]
    const batch = [holdOf(short, 6), holdOf(rich, 90), holdOf(short, 5), holdOf(rich, 10)]
    expect(await store.place(batch)).toEqual(['6 of 6', '90 of 90', 'wallet has 4', '10 of 10'])
    expect([await store.walletOf(rich), await store.walletOf(short)]).toMatchObject([{ held: 100 }, { held: 6 }])
  })
})

describe('a hold over windows', () => {
  it('[HOLD-14] takes the last of a limit, and a nano-dollar more takes nothing from anybody', async () => {
    const payer = await store.payer(1_000)
    const windows = await store.windows(payer, { key_day: 100, key_week: 500 })
    expect(await store.place([holdOf(payer, 101, { windows })])).toEqual(['key_day has 100'])
    expect(await store.sumsOf(windows)).toEqual({ key_day: { spent: 0, held: 0 }, key_week: { spent: 0, held: 0 } })
    expect(await store.place([holdOf(payer, 60, { windows }), holdOf(payer, 40, { windows })])).toEqual([
      '60 of 60',
      '40 of 40',
    ])
    expect(await store.sumsOf(windows)).toEqual({ key_day: { spent: 0, held: 100 }, key_week: { spent: 0, held: 100 } })
    expect(await store.walletOf(payer)).toMatchObject({ held: 100 })
  })

  it('[HOLD-14] of a batch is judged in its order, and holds without limits go on', async () => {
    const [payer, other] = [await store.payer(1_000), await store.payer(1_000)]
    const windows = await store.windows(payer, { key_day: 100, key_week: 500, user_hour: 400 })
    const batch = [60, 41, 40].map((amount) => holdOf(payer, amount, { windows, estimate: 5 }))
    expect(await store.place([...batch, holdOf(payer, 7), holdOf(other, 8)])).toEqual([
      '60 of 60',
      'key_day has 40',
      '40 of 40',
      '7 of 7',
      '8 of 8',
    ])
    expect(await store.sumsOf(windows)).toEqual({
      key_day: { spent: 0, held: 100 },
      key_week: { spent: 0, held: 100 },
      user_hour: { spent: 0, held: 10 },
    })
    expect([await store.walletOf(payer), await store.walletOf(other)]).toMatchObject([{ held: 107 }, { held: 8 }])
  })

  it('[HOLD-14] takes the whole of a limit before others of its batch come', async () => {
    const payer = await store.payer(1_000)
    const windows = await store.windows(payer, { key_day: 100 })
    expect(await store.place([100, 1].map((amount) => holdOf(payer, amount, { windows })))).toEqual([
      '100 of 100',
      'key_day has 0',
    ])
  })

  it('that would not fit even alone is told the room before its batch', async () => {
    const payer = await store.payer(1_000)
    const windows = await store.windows(payer, { key_day: 100 })
    await store.place([holdOf(payer, 10, { windows })])
    expect(await store.place([60, 95].map((amount) => holdOf(payer, amount, { windows })))).toEqual([
      '60 of 60',
      'key_day has 90',
    ])
  })

  it('counts what was spent before as well', async () => {
    const payer = await store.payer(1_000)
    const windows = await store.windows(payer, { key_day: 100 })
    await store.place([holdOf(payer, 20, { windows })])
    await store.pool.query(
      "UPDATE spend_windows SET spent_nano = 50 WHERE owner_id = $1 AND kind = 'key_day' AND starts_at = $2",
      [payer.keyId, startsAtMs],
    )
    expect(await store.place([holdOf(payer, 31, { windows })])).toEqual(['key_day has 30'])
    expect(await store.place([holdOf(payer, 20, { windows }), holdOf(payer, 11, { windows })])).toEqual([
      '20 of 20',
      'key_day has 10',
    ])
    expect(await store.place([holdOf(payer, 10, { windows })])).toEqual(['10 of 10'])
  })

  it('counts in breakers by its estimate, and is refused once they are reached', async () => {
    const payer = await store.payer(10_000)
    const windows = await store.windows(payer, { user_minute: 100, user_hour: 1_000 })
    const asked = (estimate: number) => holdOf(payer, 500, { windows, estimate })
    expect(await store.place([asked(99)])).toEqual(['500 of 500'])
    expect(await store.sumsOf(windows)).toEqual({
      user_minute: { spent: 0, held: 99 },
      user_hour: { spent: 0, held: 99 },
    })
    // The breaker is not reached yet, so the next hold passes with any amount, and only that one.
    expect(await store.place([asked(1), asked(0), asked(1)])).toEqual([
      '500 of 500',
      'user_minute has 0',
      'user_minute has 0',
    ])
    expect(await store.place([asked(1)])).toEqual(['user_minute has 0'])
    expect(await store.sumsOf(windows)).toEqual({
      user_minute: { spent: 0, held: 100 },
      user_hour: { spent: 0, held: 100 },
    })
    expect(await store.walletOf(payer)).toMatchObject({ held: 1_000 })
  })

  it('of nothing is refused by a breaker that its batch has reached', async () => {
    const payer = await store.payer(10_000)
    const windows = await store.windows(payer, { user_minute: 100 })
    const batch = [60, 40, 0].map((estimate) => holdOf(payer, 200, { windows, estimate }))
    expect(await store.place(batch)).toEqual(['200 of 200', '200 of 200', 'user_minute has 0'])
  })

  it('counts in breakers by its amount where nothing is estimated', async () => {
    const payer = await store.payer(1_000)
    const windows = await store.windows(payer, { user_minute: 100 })
    expect(await store.place([holdOf(payer, 40, { windows })])).toEqual(['40 of 40'])
    expect(await store.sumsOf(windows)).toEqual({ user_minute: { spent: 0, held: 40 } })
    const { rows } = await store.pool.query(
      `SELECT refused_by AS refused FROM place_holds(ARRAY[$1]::uuid[], ARRAY[$2]::uuid[], ARRAY[$3]::uuid[], '{30}', 1000, false,
         ARRAY[$1]::uuid[], '{user_minute}', ARRAY[$3]::uuid[], ARRAY[$4]::bigint[], '{100}')`,
      [newUuid(Date.now()), payer.walletId, payer.keyId, startsAtMs],
    )
    expect(rows).toEqual([{ refused: null }])
    expect(await store.sumsOf(windows)).toEqual({ user_minute: { spent: 0, held: 70 } })
  })

  it('is refused by the lower of two limits on one window', async () => {
    const payer = await store.payer(1_000)
    const high = await store.windows(payer, { key_day: 100 })
    const low = high.map((window) => ({ ...window, limit: nano(50) }))
    const batch = [
      holdOf(payer, 40, { windows: high }),
      holdOf(payer, 20, { windows: low }),
      holdOf(payer, 60, { windows: high }),
    ]
    expect(await store.place(batch)).toEqual(['40 of 40', 'key_day has 10', '60 of 60'])
    const other = await store.payer(1_000)
    const [roomy, tight] = [await store.windows(other, { key_day: 100 }), await store.windows(other, { key_day: 50 })]
    expect(await store.place([holdOf(other, 30, { windows: roomy }), holdOf(other, 30, { windows: tight })])).toEqual([
      '30 of 30',
      'key_day has 20',
    ])
  })
})

describe('a verdict', () => {
  it('is given once for each hold', async () => {
    const payer = await store.payer(100)
    const [held, fits, short] = [holdOf(payer, 10).id, holdOf(payer, 20).id, holdOf(payer, 80).id]
    await store.place([holdOf(payer, 10, { id: held })])
    const { rows } = await store.pool.query<{ id: string }>(
      `SELECT hold_id AS id FROM place_holds($1::uuid[], array_fill($2::uuid, '{3}'), array_fill($3::uuid, '{3}'), '{10, 20, 80}', 1000, true,
         '{}', '{}', '{}', '{}', '{}')`,
      [[held, fits, short], payer.walletId, payer.keyId],
    )
    expect(rows.map(({ id }) => id).toSorted()).toEqual([held, fits, short].toSorted())
  })
})

describe('a refusal', () => {
  it.each([
    ['alone', []],
    // After a hold that takes room first, each hold is judged by what remains.
    ['behind another', [10]],
  ])('names the wallet first, then the least room, then the first name: %s', async (_name, before) => {
    const used = before.reduce((sum, amount) => sum + amount, 0)
    const refuse = async (funds: number, limits: Record<string, number>): Promise<string | undefined> => {
      const payer = await store.payer(funds)
      const windows = await store.windows(payer, limits)
      const verdicts = await store.place([...before, 100].map((amount) => holdOf(payer, amount, { windows })))
      return verdicts.at(-1)
    }
    expect(await refuse(99 + used, { key_day: 92 + used, key_week: 500 })).toBe('wallet has 99')
    expect(await refuse(500, { key_day: 95 + used, key_week: 92 + used, user_hour: 900 })).toBe('key_week has 92')
    expect(await refuse(500, { key_week: 95 + used, key_day: 95 + used })).toBe('key_day has 95')
  })

  it('never tells of less room than none', async () => {
    const payer = await store.payer(1_000)
    const windows = await store.windows(payer, { key_day: 100 })
    await store.place([holdOf(payer, 90, { windows })])
    const lowered = windows.map((window) => ({ ...window, limit: nano(50) }))
    expect(await store.place([holdOf(payer, 1, { windows: lowered })])).toEqual(['key_day has 0'])
    const owing = await store.payer(10, { creditLine: 50 })
    await store.place([holdOf(owing, 60)])
    await store.pool.query('UPDATE wallets SET credit_line_nano = 5 WHERE id = $1', [owing.walletId])
    expect(await store.place([holdOf(owing, 1)])).toEqual(['wallet has 0'])
  })
})

describe('a batch that is sent again', () => {
  it('holds what the first try held once, and the rest of it now', async () => {
    const payer = await store.payer(100)
    const windows = await store.windows(payer, { key_day: 100 })
    const [first, second] = [holdOf(payer, 60, { windows }), holdOf(payer, 40, { windows })]
    await store.place([first])
    expect(await store.place([first, second], { isRetry: true })).toEqual(['60 of 60', '40 of 40'])
    expect(await store.walletOf(payer)).toMatchObject({ held: 100 })
    expect(await store.sumsOf(windows)).toEqual({ key_day: { spent: 0, held: 100 } })
    expect(await store.place([first, second, holdOf(payer, 1, { windows })], { isRetry: true })).toEqual([
      '60 of 60',
      '40 of 40',
      'wallet has 0',
    ])
  })

  it('takes nobody else for its own', async () => {
    const payer = await store.payer(100)
    await store.place([holdOf(payer, 10)])
    expect(await store.place([holdOf(payer, 20)], { isRetry: true })).toEqual(['20 of 20'])
    expect(await store.walletOf(payer)).toMatchObject({ held: 30 })
  })

  it('may wish for more beside those that are held', async () => {
    const payer = await store.payer(100)
    const windows = await store.windows(payer, { key_day: 90 })
    const first = holdOf(payer, 20, { windows, wish: 500 })
    expect(await store.place([first])).toEqual(['20 of 90'])
    expect(await store.place([first, holdOf(payer, 30, { windows, wish: 500 })], { isRetry: true })).toEqual([
      '20 of 20',
      '30 of 70',
    ])
  })
})

describe('the row of a hold', () => {
  interface Row {
    amount: number
    estimate: number
    key: string
    kinds: string[] | null
    isLeased: boolean
  }

  async function rowsOf(ids: readonly string[]): Promise<Row[]> {
    const { rows } = await store.pool.query<Row>(
      `SELECT amount_nano::int AS amount, estimate_nano::int AS estimate, key_id AS key, window_kinds AS kinds,
         lease_until > now() + interval '30 minutes' AND lease_until <= clock_timestamp() + interval '1 hour' AS "isLeased"
       FROM holds h JOIN unnest($1::uuid[]) WITH ORDINALITY AS n (id, position) ON n.id = h.id ORDER BY position`,
      [ids],
    )
    return rows
  }

  it.each([
    ['at once', 1_000],
    ['one by one', 99],
  ])('says what is held for whom and until when, whether judged %s', async (_how, funds) => {
    const payer = await store.payer(funds)
    const windows = await store.windows(payer, { key_day: 900, user_minute: 900 })
    const batch = [holdOf(payer, 40, { windows, estimate: 5 }), holdOf(payer, 30), holdOf(payer, 31)]
    await store.place(batch)
    const rows = await rowsOf(batch.map(({ id }) => id))
    expect(rows.slice(0, 2)).toEqual([
      { amount: 40, estimate: 5, key: payer.keyId, kinds: ['key_day', 'user_minute'], isLeased: true },
      { amount: 30, estimate: 30, key: payer.keyId, kinds: null, isLeased: true },
    ])
    expect(rows).toHaveLength(funds === 99 ? 2 : 3)
  })
})
