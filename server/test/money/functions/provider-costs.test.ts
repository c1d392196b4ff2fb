import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { GenerationRecord } from '#domain/ledger/generation-record.ts'
import { settleGenerations } from '#store/postgres/money/settle-generations.sql.ts'
import { settleEntry } from '../settles.ts'
import { holdOf, type MoneyStore, nano, openMoneyStore, startsAtMs } from './money-store.ts'

let store: MoneyStore

beforeAll(async () => {
  store = await openMoneyStore()
})
afterAll(() => store.close())

type Terms = Pick<GenerationRecord, 'providerCost'>
const providerCost = nano(7)

describe('the provider cost of a settle', () => {
  it.each<[string, Terms[], boolean, (number | null)[]]>([
    ['plain, alone', [{ providerCost }], false, [7]],
    ['plain, alone, none', [{}], false, [null]],
    ['plain, in a batch', [{}, { providerCost }, {}, { providerCost: nano(0) }], false, [null, 7, null, 0]],
    ['plain, in a batch without any', [{}, {}], false, [null, null]],
    ['within a limit', [{ providerCost }, {}], true, [7, null]],
  ])('is stored for each request: %s', async (_name, records, isLimited, expected) => {
    const payer = await store.payer(1_000)
    const windows = isLimited ? await store.windows(payer, { key_day: 500 }) : []
    const holds = records.map(() => holdOf(payer, 10, { windows, estimate: 1 }))
    await store.place(holds)
    const entries = holds.map(({ id }, at) => {
      const entry = settleEntry({ ...payer, id }, nano(5), { startedAtMs: startsAtMs, windows })
      return { ...entry, record: { ...entry.record, ...records[at] } }
    })
    await settleGenerations(store.pool, entries)
    expect(await costsOf(holds.map(({ id }) => id))).toEqual(expected)
  })

  it('of a cut charge stays: the absorbed part grows instead', async () => {
    const payer = await store.payer(20)
    const hold = holdOf(payer, 20, { estimate: 1 })
    await store.place([hold])
    const { record } = settleEntry({ ...payer, id: hold.id }, nano(25), { startedAtMs: startsAtMs })
    const [charge] = await settleGenerations(store.pool, [{ record: { ...record, providerCost }, windows: [] }])
    expect(charge).toEqual({ cost: 20n, absorbed: 5n })
    expect(await costsOf([hold.id])).toEqual([7])
  })
})

async function costsOf(ids: readonly string[]): Promise<(number | null)[]> {
  const text = `SELECT g.provider_cost_nano::int AS cost FROM unnest($1::uuid[]) WITH ORDINALITY AS u (id, place)
    JOIN generations g ON g.id = u.id ORDER BY u.place`
  const { rows } = await store.pool.query<{ cost: number | null }>(text, [ids])
  return rows.map(({ cost }) => cost)
}
