import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formatUsd, nanoUsd, parseUsd } from '#domain/money/nano-usd.ts'
import { type JsonObject, objectAt, objectsIn } from '#lib/json.ts'
import { type PaymentWorld, startPaymentWorld } from '#test/payments/payment-world.ts'
import { createOwnerHistory, fullHistory, ownerStep, parsed, type PlayedMonth } from './owner-history.ts'

const nanoPerCent = 10_000_000n
const bookedKinds = [
  'charge',
  'dispute',
  'dispute_lost',
  'dispute_won',
  'fee',
  'grant',
  'grant_expired',
  'processor_fee',
  'redemption',
  'refund',
  'tax',
  'top_up',
  'write_off',
]

describe("the owner's figures of a month", () => {
  let world: PaymentWorld
  let operator: string
  beforeAll(async () => {
    world = await startPaymentWorld({
      environment: { WEIR_PAYMENTS_TAX_RATES: 'DE=19', WEIR_PAYMENTS_NEW_ACCOUNT_DAYS: '0' },
    })
    operator = (await world.addOperatorKey()).key
  })
  afterAll(() => world.close())

  it('equal the ledger and the payment processor after any history, and stay as they were closed', async () => {
    const { addCustomer, playMonth } = await createOwnerHistory(world, operator)
    const closed = new Map<string, unknown>()
    let next = 0
    const month = fc.array(ownerStep, { minLength: 1, maxLength: 16, size: 'max' })
    const months = fc.tuple(month, month, month)
    await fc.assert(
      fc.asyncProperty(months, async (history) => {
        const customers = [await addCustomer(), await addCustomer()]
        await setCountry(customers[0])
        // Every history continues the books of the histories before.
        for (const steps of history) {
          const played = await playMonth(monthAfter(next++), customers, steps)
          await expectMonth(played)
          closed.set(played.month, await close(played.month))
        }
        for (const [month, books] of closed) {
          const { json } = await world.as(operator).get(`/api/admin/accounting/${month}`)
          expect(json, month).toMatchObject({ agrees: true, closed: { books } })
        }
      }),
      { numRuns: 6, examples: [[fullHistory]] },
    )
    const { rows } = await world.pool.query<{ kind: string }>('SELECT DISTINCT kind FROM ledger_transfers')
    expect(rows.map(({ kind }) => kind).toSorted()).toEqual(bookedKinds)
  }, 240_000)

  async function setCountry(customer: Parameters<PaymentWorld['balanceOf']>[0] | undefined): Promise<void> {
    const path = `/api/wallets/${customer?.walletId}/billing-profile`
    const { status } = await world.as(customer?.session).send('PUT', path, { name: 'Buyer', country: 'DE' })
    expect(status).toBe(200)
  }

  async function close(month: string): Promise<unknown> {
    const { status, json } = await world.as(operator).send('POST', `/api/admin/accounting/${month}/close`, undefined)
    expect(status).toBe(200)
    return json['books']
  }

  async function expectMonth({ month, processorCents, transferred }: PlayedMonth): Promise<void> {
    const known = await byLedger(month)
    const revenue = await revenueOf(month, 'customer')
    expect(revenue).toMatchObject(known.revenue)
    expect(parseUsd(String(revenue['received']))).toBe(processorCents * nanoPerCent + transferred)
    for (const by of ['day', 'model', 'provider', 'customer']) expectWhole(await revenueOf(month, by, 2))
    const { json } = await world.as(operator).get(`/api/admin/accounting/${month}`)
    const books = objectAt(json, 'books')
    expect(objectAt(books, 'deferred_credit')).toEqual(known.credit)
    expectBalanced(books)
    const booked = objectsIn(books['entries']).filter(({ kind }) => kind !== 'provider_cost')
    await expectReconciled(month, processorCents)
    expect(booked.map(({ kind, amount, count }) => ({ kind, amount, count }))).toEqual(known.entries)
  }

  async function expectReconciled(month: string, processorCents: bigint): Promise<void> {
    const { status, json } = await world.as(operator).get(`/api/admin/accounting/${month}/reconciliation`)
    expect([status, json['agree'], json['differences']]).toEqual([200, true, []])
    const sumOf = (name: string) => objectsIn(json['sums']).reduce((sum, row) => sum + centsOf(row[name]), 0n)
    expect([sumOf('theirs'), sumOf('ours')]).toEqual([processorCents, processorCents])
  }

  /** Exact: amounts are text where a double would round them. */
  async function revenueOf(month: string, by: string, limit = 1_000): Promise<JsonObject> {
    const { status, text } = await world.as(operator).get(`/api/admin/revenue/${month}?by=${by}&limit=${limit}`)
    expect(status).toBe(200)
    return parsed(text)
  }

  /** Read from the postings and requests, with nothing of the code under test. */
  async function byLedger(month: string) {
    const legs = `(SELECT credit AS account, amount_nano, created_at FROM ledger_transfers
      UNION ALL SELECT debit, -amount_nano, created_at FROM ledger_transfers) AS legs`
    const sums = await read(`SELECT account AS name, sum(amount_nano)::text AS nano FROM ${legs}
      WHERE ${inMonth('created_at')} = $1 GROUP BY 1`)
    const costs =
      await read(`SELECT 'cost' AS name, coalesce(sum(coalesce(provider_cost_nano, cost_nano + absorbed_nano)),
      0)::text AS nano FROM generations WHERE ${inMonth('settled_at')} = $1`)
    const credits = await read(`SELECT name, coalesce(sum(amount_nano) FILTER (WHERE at), 0)::text AS nano FROM ${legs},
      LATERAL (VALUES ('before', ${inMonth('created_at')} < $1), ('after', ${inMonth('created_at')} <= $1)) AS s (name, at)
      WHERE account = 'wallet' GROUP BY 1`)
    const { rows: entries } = await world.pool.query<{ kind: string; nano: string; count: number }>(
      `SELECT kind, sum(amount_nano)::text AS nano, count(*)::integer AS count FROM ledger_transfers
       WHERE ${inMonth('created_at')} = $1 GROUP BY kind, debit, credit ORDER BY kind, debit, credit`,
      [month],
    )
    async function read(text: string): Promise<Map<string, bigint>> {
      const { rows } = await world.pool.query<{ name: string; nano: string }>(text, [month])
      return new Map(rows.map(({ name, nano }) => [name, BigInt(nano)]))
    }
    const on = (account: string) => sums.get(account) ?? 0n
    const cost = costs.get('cost') ?? 0n
    return {
      revenue: {
        usage: usd(on('usage')),
        provider_cost: usd(cost),
        margin: usd(on('usage') - cost),
        fees: usd(on('fees')),
        tax: usd(on('tax')),
        promotions: usd(-on('grants')),
        bad_debts: usd(-on('losses')),
        processing: usd(-on('processor')),
        received: usd(-on('cash') - on('disputed')),
        result: usd(on('usage') + on('fees') + on('grants') + on('losses') + on('processor') - cost),
      },
      credit: { before: usd(credits.get('before') ?? 0n), after: usd(credits.get('after') ?? 0n) },
      entries: entries.map(({ kind, nano, count }) => ({ kind, amount: usd(BigInt(nano)), count })),
    }
  }
})

const inMonth = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM')`
const usd = (nano: bigint) => formatUsd(nanoUsd(nano))

function centsOf(decimal: unknown): bigint {
  return BigInt(String(decimal).replace('.', ''))
}

function monthAfter(months: number): string {
  return new Date(Date.UTC(2001, months, 1)).toISOString().slice(0, 7)
}

/** Debits equal credits, and the change of the customers' account is the change of their credit. */
function expectBalanced(books: JsonObject): void {
  const accounts = objectsIn(books['accounts'])
  const sumOf = (name: string) => accounts.reduce((sum, row) => sum + parseUsd(String(row[name])), 0n)
  expect(sumOf('debits')).toBe(sumOf('credits'))
  const { before, after } = objectAt(books, 'deferred_credit')
  const customers = accounts.find(({ account }) => account === 'Customer credit')
  const change = parseUsd(String(customers?.['credits'] ?? 0)) - parseUsd(String(customers?.['debits'] ?? 0))
  expect(parseUsd(String(after)) - parseUsd(String(before))).toBe(change)
}

/** The groups, the others and the unattributed part sum to the usage, and the costs to the cost. */
function expectWhole(revenue: JsonObject): void {
  const rows = [...objectsIn(revenue['data']), objectAt(revenue, 'others')]
  const sumOf = (name: string) => rows.reduce((sum, row) => sum + parseUsd(String(row[name])), 0n)
  expect(sumOf('charged') + parseUsd(String(revenue['unattributed']))).toBe(parseUsd(String(revenue['usage'])))
  expect(sumOf('provider_cost')).toBe(parseUsd(String(revenue['provider_cost'])))
  expect(revenue['unattributed']).toBe('0')
}
