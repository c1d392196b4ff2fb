import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { GenerationRecord } from '#domain/ledger/generation-record.ts'
import { settleGenerations, settleWithin } from '#store/postgres/money/settle-generations.sql.ts'
import { settleEntry } from '../settles.ts'
import { holdOf, type MoneyStore, nano, openMoneyStore, startsAtMs, type StorePayer } from './money-store.ts'

let store: MoneyStore

beforeAll(async () => {
  store = await openMoneyStore()
})
afterAll(() => store.close())

/** A second payer with the same funds, so that the single and the batch function meet the same state. */
async function twins(funds: number, creditLine = 0): Promise<[StorePayer, StorePayer]> {
  return [await store.payer(funds, { creditLine }), await store.payer(funds, { creditLine })]
}

describe('a hold that is alone', () => {
  it('[HOLD-12] is judged as in a batch, whatever it asks for and the wallet has', async () => {
    const amount = fc.integer({ min: 0, max: 120 })
    const fields = fc.record(
      {
        funds: amount,
        creditLine: fc.constantFrom(0, 40),
        before: fc.integer({ min: 0, max: 30 }),
        amount,
        wish: fc.integer({ min: 0, max: 300 }),
        comfort: fc.integer({ min: 1, max: 60 }),
        estimate: amount,
      },
      { requiredKeys: ['funds', 'creditLine', 'before', 'amount', 'estimate'] },
    )
    await fc.assert(
      fc.asyncProperty(fields, async ({ funds, creditLine, before, amount: asked, ...rest }) => {
        const [alone, batched] = await twins(funds, creditLine)
        for (const payer of [alone, batched]) await store.place([holdOf(payer, before)])
        // The batch function always judges a retry.
        const verdict = await store.place([holdOf(alone, asked, rest)])
        expect(verdict).toEqual(await store.place([holdOf(batched, asked, rest)], { isRetry: true }))
        expect(await store.walletOf(alone)).toEqual(await store.walletOf(batched))
        expect(await holdsOf(alone)).toEqual(await holdsOf(batched))
      }),
      { numRuns: 40 },
    )
  })

  it('is refused where there is no such wallet', async () => {
    const payer = await store.payer(10)
    const stranger = { ...payer, walletId: payer.keyId }
    expect(await store.place([holdOf(stranger, 1)])).toEqual(['wallet has 0'])
  })
})

describe('a batch of holds without windows', () => {
  it('[HOLD-12] is judged as by the function for all holds, whatever it asks for and the wallets have', async () => {
    const amount = fc.integer({ min: 0, max: 120 })
    const asked = fc.record(
      {
        isOfFirst: fc.boolean(),
        amount,
        wish: fc.integer({ min: 0, max: 300 }),
        comfort: fc.integer({ min: 1, max: 20 }),
        estimate: amount,
      },
      { requiredKeys: ['isOfFirst', 'amount', 'estimate'] },
    )
    const batches = fc.array(asked, { minLength: 2, maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 2_000 }), amount, batches, async (funds, fewer, batch) => {
        const [first, firstTwin] = await twins(funds)
        const [second, secondTwin] = await twins(fewer, 40)
        const holds = (one: StorePayer, other: StorePayer) =>
          batch.map(({ isOfFirst, amount: nanos, ...rest }) => holdOf(isOfFirst ? one : other, nanos, rest))
        const verdicts = await store.place(holds(first, second))
        // `place_holds` always judges a retry.
        expect(verdicts).toEqual(await store.place(holds(firstTwin, secondTwin), { isRetry: true }))
        for (const [payer, twin] of [
          [first, firstTwin],
          [second, secondTwin],
        ] as const) {
          expect(await store.walletOf(payer)).toEqual(await store.walletOf(twin))
          expect(await holdsOf(payer)).toEqual(await holdsOf(twin))
        }
      }),
      { numRuns: 40 },
    )
  })
})

describe('a settle that is alone', () => {
  const usage = { uncachedInput: 1, cacheRead: 2, cacheWrite5m: 3, cacheWrite1h: 4, audioInput: 5 }
  const output = { textOutput: 6, reasoningOutput: 7, imageOutput: 8, audioOutput: 9 }
  const whole: Partial<GenerationRecord> = {
    appName: 'an "app", (with) \\ and \0 and \ud800',
    streamed: true,
    cancelled: true,
    isByok: true,
    isFailover: true,
    firstTokenMs: 12,
    cacheDiscount: nano(3),
    absorbed: nano(2),
    refundReason: 'no_usage',
    attempts: [
      { model: 'a/b', provider: 'p', outcome: 'failed', status: null, durationMs: 1, said: 'no "way", \\ or (so)' },
    ],
    routing: { candidates: [{ model: 'a/b', provider: 'p' }], excluded: [], autoTier: 'quick' },
    usageDoubted: true,
  }
  it.each([
    ['nothing but what it must have', {}, 25],
    ['every column', { ...whole }, 25],
    ['empty strings', { appName: '', finishReason: '' }, 25],
    ['no charge', {}, 0],
    ['a charge of all that is held', {}, 40],
  ])('[MONEY-08] leaves what a batch and the function for all settles leave: %s', async (_name, record, cost) => {
    const [alone, batched] = await twins(1_000)
    const any = await store.payer(1_000)
    const [one, two, other, third] = [holdOf(alone, 40), holdOf(batched, 40), holdOf(batched, 5), holdOf(any, 40)]
    await store.place([one, two, other, third])
    const entryOf = (payer: StorePayer, id: string, nanos: number) => {
      const entry = settleEntry({ ...payer, id }, nano(nanos), { startedAtMs: startsAtMs, held: nano(40) })
      return { ...entry, record: { ...entry.record, usage: { ...entry.record.usage, ...usage, ...output }, ...record } }
    }
    const [charge] = await settleGenerations(store.pool, [entryOf(alone, one.id, cost)])
    const [sameCharge] = await settleGenerations(store.pool, [
      entryOf(batched, two.id, cost),
      entryOf(batched, other.id, 0),
    ])
    const client = await store.pool.connect()
    expect(await settleWithin(client, entryOf(any, third.id, cost)).finally(() => client.release())).toEqual(charge)
    expect(charge).toEqual(sameCharge)
    expect(await rowOf('generations', one.id)).toEqual(await rowOf('generations', third.id))
    expect(await rowOf('ledger_transfers', one.id)).toEqual(await rowOf('ledger_transfers', third.id))
    expect(await store.walletOf(alone)).toEqual(await store.walletOf(any))
    expect(await rowOf('generations', one.id)).toEqual(await rowOf('generations', two.id))
    expect(await rowOf('ledger_transfers', one.id)).toEqual(await rowOf('ledger_transfers', two.id))
    expect(await store.walletOf(alone)).toEqual(await store.walletOf(batched))
    expect(await holdsOf(alone)).toEqual([])
    const [day, sameDay] = [await dayOf(alone), await dayOf(batched)]
    // The other generation of the batch cost nothing and had the same tokens.
    expect({ ...day, requests: '2', prompt_tokens: '30', completion_tokens: '60' }).toEqual(sameDay)
    expect(day).toMatchObject({ requests: '1', prompt_tokens: '15', completion_tokens: '30' })
    // A repeat changes nothing.
    expect(await settleGenerations(store.pool, [entryOf(alone, one.id, 1)])).toEqual([charge])
    expect(await dayOf(alone)).toEqual(day)
    // It also changes nothing if the statement that placed the hold was sent twice, and arrived again after the
    // settlement.
    for (const beside of [[], [entryOf(batched, two.id, 1)]]) {
      await store.place([one])
      const [repeated] = await settleGenerations(store.pool, [entryOf(alone, one.id, 1), ...beside])
      expect(repeated).toEqual(charge)
      expect(await store.walletOf(alone)).toEqual(await store.walletOf(batched))
      expect(await holdsOf(alone)).toEqual([])
      expect(await dayOf(alone)).toEqual(day)
    }
  })
})

describe('a batch of settles', () => {
  it('[MONEY-08] keeps each row apart from the others, whatever clients and upstreams write', async () => {
    const forged = [
      ';";',
      ';"";',
      ';\\";',
      ')";"(',
      '");";(",',
      '"',
      '\\',
      ';',
      ',',
      '(',
      ')',
      '{}',
      'NULL',
      ' ',
      'é🙂',
    ]
    const unstorable = ['\0', '\ud800', '\udc00', '\n', '\x1e', '\u2028']
    const text = fc.array(fc.constantFrom(...forged, ...unstorable), { maxLength: 6 }).map((parts) => parts.join(''))
    const texts = fc.record({ appName: text, model: text, finishReason: text, nativeFinishReason: text, said: text })
    await fc.assert(
      fc.asyncProperty(fc.array(texts, { minLength: 2, maxLength: 4 }), async (batch) => {
        const payer = await store.payer(100)
        const holds = batch.map(() => holdOf(payer, 10))
        await store.place(holds)
        const entries = batch.map(({ said, ...written }, position) => {
          const { record, windows } = settleEntry({ ...payer, id: holds[position]?.id ?? '' }, nano(position + 1))
          const attempts = [{ model: 'a/b', provider: 'p', outcome: 'failed', status: null, durationMs: 1, said }]
          return { record: { ...record, ...written, attempts }, windows }
        })
        await settleGenerations(store.pool, entries)
        expect(await textsOf(payer)).toEqual(batch.map(storedTexts))
        expect(await holdsOf(payer)).toEqual([])
      }),
      { numRuns: 60 },
    )
  })
})

/** Postgres stores neither NUL nor half of a surrogate pair. */
function storedTexts(texts: Readonly<Record<string, string>>): object {
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, text.toWellFormed().replaceAll('\0', '\ufffd')]),
  )
}

/** The texts of a payer's generations, the cheapest first. */
async function textsOf({ walletId }: StorePayer): Promise<object[]> {
  const { rows } = await store.pool.query<object>(
    `SELECT app_name AS "appName", model, finish_reason AS "finishReason", native_finish_reason AS "nativeFinishReason",
       attempts -> 0 ->> 'said' AS said FROM generations WHERE wallet_id = $1 ORDER BY cost_nano`,
    [walletId],
  )
  return rows
}

async function holdsOf({ walletId }: StorePayer): Promise<unknown[]> {
  const { rows } = await store.pool.query(
    `SELECT amount_nano, estimate_nano, window_kinds, window_owners, window_starts FROM holds WHERE wallet_id = $1
     ORDER BY amount_nano, estimate_nano`,
    [walletId],
  )
  return rows
}

/** A row without the fields that differ between the twins. */
async function rowOf(table: 'generations' | 'ledger_transfers', id: string): Promise<object> {
  const ownColumns = ['id', 'wallet_id', 'key_id', 'user_id', 'settled_at', 'settled_position', 'created_at']
  const { rows } = await store.pool.query<{ row: object }>(
    `SELECT to_jsonb(t) - $2::text[] AS row FROM ${table} t WHERE id = $1`,
    [id, ownColumns],
  )
  return rows[0]?.row ?? {}
}

async function dayOf({ keyId }: StorePayer): Promise<Record<string, unknown>> {
  const { rows } = await store.pool.query<Record<string, unknown>>(
    'SELECT spent_nano, requests, prompt_tokens, completion_tokens FROM key_usage_days WHERE key_id = $1',
    [keyId],
  )
  return rows[0] ?? {}
}
