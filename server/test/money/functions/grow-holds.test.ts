import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { holdOf, type MoneyStore, openMoneyStore, startsAtMs } from './money-store.ts'

let store: MoneyStore

beforeAll(async () => {
  store = await openMoneyStore()
})
afterAll(() => store.close())

describe('a hold with a wish', () => {
  it('[HOLD-12] is told the room of the wallet beside the whole batch', async () => {
    const payer = await store.payer(100, { creditLine: 20 })
    await store.place([holdOf(payer, 5)])
    const batch = [holdOf(payer, 30, { wish: 500 }), holdOf(payer, 10, { wish: 10 }), holdOf(payer, 15)]
    // The second hold wants no more than it gets, and the third wants nothing.
    expect(await store.place(batch)).toEqual(['30 of 90', '10 of 10', '15 of 15'])
    expect(await store.walletOf(payer)).toMatchObject({ held: 60 })
  })

  it('[HOLD-12] is told the least room of its limits, and breakers are none', async () => {
    const payer = await store.payer(1_000)
    const windows = await store.windows(payer, { key_day: 100, key_week: 80, user_minute: 50 })
    await store.place([holdOf(payer, 6, { windows, estimate: 1 })])
    expect(await store.place([holdOf(payer, 30, { windows, estimate: 2, wish: 500 })])).toEqual(['30 of 74'])
    expect(await store.sumsOf(windows)).toEqual({
      key_day: { spent: 0, held: 36 },
      key_week: { spent: 0, held: 36 },
      user_minute: { spent: 0, held: 3 },
    })
  })

  it('[HOLD-12] is told the room of a credit line as well, to the last nano-dollar', async () => {
    const owing = await store.payer(50, { creditLine: 50 })
    expect(await store.place([holdOf(owing, 60, { wish: 500 })])).toEqual(['60 of 100'])
    const poor = await store.payer(1)
    expect(await store.place([holdOf(poor, 0, { wish: 500 })])).toEqual(['0 of 1'])
    const spent = await store.payer(30)
    expect(await store.place([holdOf(spent, 30, { wish: 500 })])).toEqual(['30 of 30'])
  })

  it('[HOLD-12] is told the room of its own limits, whatever others of its batch have', async () => {
    const [one, two, short] = [await store.payer(1_000), await store.payer(1_000), await store.payer(1_000)]
    const ofOne = await store.windows(one, { key_day: 100 })
    const ofTwo = await store.windows(two, { key_day: 70, key_week: 900 })
    const ofShort = await store.windows(short, { key_day: 5 })
    const batch = [
      holdOf(one, 30, { windows: ofOne, wish: 500 }),
      holdOf(two, 30, { windows: ofTwo, wish: 500 }),
      holdOf(short, 6, { windows: ofShort }),
    ]
    expect(await store.place(batch)).toEqual(['30 of 100', '30 of 70', 'key_day has 5'])
    const unwishing = holdOf(short, 2, { windows: ofShort })
    expect(await store.place([unwishing, holdOf(one, 5, { windows: ofOne, wish: 500 })])).toEqual(['2 of 2', '5 of 70'])
  })

  it('[HOLD-12] is told the room beside what was spent, under the lower of two limits', async () => {
    const payer = await store.payer(1_000)
    const windows = await store.windows(payer, { key_day: 100 })
    const lower = await store.windows(payer, { key_day: 50 })
    await store.place([holdOf(payer, 1, { windows })])
    await store.pool.query(
      "UPDATE spend_windows SET spent_nano = 8 WHERE owner_id = $1 AND kind = 'key_day' AND starts_at = $2",
      [payer.keyId, startsAtMs],
    )
    const batch = [holdOf(payer, 10, { windows, wish: 500 }), holdOf(payer, 10, { windows: lower, wish: 500 })]
    expect(await store.place(batch)).toEqual(['10 of 31', '10 of 31'])
  })

  it('takes its amount alone where there is no room to spare', async () => {
    const payer = await store.payer(100)
    const batch = [holdOf(payer, 60, { wish: 500, comfort: 80 }), holdOf(payer, 41, { wish: 500, comfort: 80 })]
    expect(await store.place(batch)).toEqual(['60 of 60', 'wallet has 40'])
    expect(await store.walletOf(payer)).toMatchObject({ held: 60 })
  })
})

describe('a hold whose upstream can not be watched', () => {
  it.each([
    ['up to its comfort', 600, { amount: 10, wish: 900, comfort: 40 }, 40],
    ['no more than it wishes', 1_000, { amount: 10, wish: 30, comfort: 40 }, 30],
    ['no more than there is', 25, { amount: 10, wish: 900, comfort: 40 }, 25],
    ['nothing where nothing is left', 10, { amount: 10, wish: 900, comfort: 40 }, 10],
    // Sixteen comforts are 640; the hold takes an eighth of the 8,001 beyond them, rounded down.
    ['an eighth of what is left beyond sixteen comforts', 8_651, { amount: 10, wish: 9_000, comfort: 40 }, 1_010],
    ['not even an eighth beyond its wish', 8_650, { amount: 10, wish: 500, comfort: 40 }, 500],
    ['nothing where its amount is comfortable', 600, { amount: 40, wish: 900, comfort: 40 }, 40],
    ['nothing where its amount is beyond comfort', 600, { amount: 50, wish: 900, comfort: 40 }, 50],
  ])('takes %s', async (_what, funds, fields, granted) => {
    const payer = await store.payer(funds)
    const [verdict = ''] = await store.place([holdOf(payer, fields.amount, fields)])
    expect(Number.parseInt(verdict, 10)).toBe(granted)
    expect(await store.walletOf(payer)).toMatchObject({ held: granted })
  })

  it('shares what is left equally with those who wish as well', async () => {
    const payer = await store.payer(101)
    const batch = [
      holdOf(payer, 10, { wish: 900, comfort: 90 }),
      holdOf(payer, 10, { wish: 900, comfort: 90 }),
      holdOf(payer, 10, { wish: 900 }),
      holdOf(payer, 10),
    ]
    // 61 are left for three holds: 20 each, and the third leaves its share for later.
    expect(await store.place(batch)).toEqual(['30 of 91', '30 of 91', '10 of 71', '10 of 10'])
    expect(await store.walletOf(payer)).toMatchObject({ held: 80 })
  })

  it('shares the room of a limit in the same way, and counts there with all that it took', async () => {
    const payer = await store.payer(1_000)
    const windows = await store.windows(payer, { key_day: 61, key_week: 900, user_minute: 50 })
    const batch = [
      holdOf(payer, 10, { windows, estimate: 2, wish: 900, comfort: 90 }),
      holdOf(payer, 10, { windows, estimate: 3, wish: 900, comfort: 90 }),
    ]
    expect(await store.place(batch)).toEqual(['30 of 71', '30 of 71'])
    expect(await store.sumsOf(windows)).toEqual({
      key_day: { spent: 0, held: 60 },
      key_week: { spent: 0, held: 60 },
      user_minute: { spent: 0, held: 5 },
    })
    expect(await store.walletOf(payer)).toMatchObject({ held: 60 })
  })

  it('leaves others of its batch what they hold', async () => {
    const [payer, other] = [await store.payer(100), await store.payer(100)]
    const windows = await store.windows(payer, { key_day: 90 })
    const batch = [
      holdOf(other, 100),
      holdOf(payer, 10, { windows, wish: 900, comfort: 500 }),
      holdOf(payer, 20, { windows }),
    ]
    expect(await store.place(batch)).toEqual(['100 of 100', '70 of 130', '20 of 20'])
    expect(await store.sumsOf(windows)).toEqual({ key_day: { spent: 0, held: 90 } })
  })
})
