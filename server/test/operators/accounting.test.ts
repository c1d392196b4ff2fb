import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeMonth, readMonth } from '#control/accounting/close-month.ts'
import { operatorAuthor } from '#control/operators/platform-entry.ts'
import { nanoUsd, parseUsd } from '#domain/money/nano-usd.ts'
import { newUuid } from '#lib/uuid.ts'
import { createPostgresAccounting } from '#store/postgres/accounting/postgres-accounting.ts'
import { createUsageWorld, type UsageWorld } from '#test/usage/usage-world.ts'

const months = ['2026-01', '2026-02', '2026-03'] as const
const monthOf = (name: string) => ({ year: Number(name.slice(0, 4)), month: Number(name.slice(5)) })
const startOf = (name: string) => Date.parse(`${name}-01T00:00:00Z`)

const amount = fc.bigInt({ min: 1n, max: 10n ** 14n })
const moment = fc.record({ month: fc.constantFrom(...months), ms: fc.nat(27 * 86_400_000) })
const booking = fc.record({
  moment,
  amount,
  way: fc.constantFrom(
    ['top_up', 'cash', 'wallet'],
    ['fee', 'cash', 'fees'],
    ['tax', 'cash', 'tax'],
    ['grant', 'grants', 'wallet'],
    ['grant_expired', 'wallet', 'grants'],
    ['refund', 'wallet', 'cash'],
    ['processor_fee', 'processor', 'cash'],
    ['write_off', 'losses', 'wallet'],
    ['charge', 'wallet', 'usage'],
  ),
})
const cost = fc.record({ moment, amount, provider: fc.constantFrom('acme', 'zenith') })

type Booking = typeof booking extends fc.Arbitrary<infer Value> ? Value : never
type Cost = typeof cost extends fc.Arbitrary<infer Value> ? Value : never

describe('the books of a month', () => {
  let world: UsageWorld
  beforeAll(async () => {
    world = await createUsageWorld()
  })
  afterAll(() => world.database.drop())

  it('hold every booking of the ledger once, and the credit of one month is the start of the next', async () => {
    const accounting = createPostgresAccounting(world.database.pool)
    await fc.assert(
      fc.asyncProperty(
        fc.array(booking, { maxLength: 40 }),
        fc.array(cost, { maxLength: 10 }),
        async (booked, costs) => {
          await fill(booked, costs)
          let credit: string | null = null
          for (const name of months) {
            const { books, closed, agrees } = await readMonth(accounting, monthOf(name))
            expect([books['month'], closed, agrees]).toEqual([name, null, null])
            const those = booked.filter(({ moment: { month } }) => month === name)
            expect(books).toMatchObject(
              expectedOf(
                those,
                costs.filter(({ moment: { month } }) => month === name),
              ),
            )
            const { before, after } = books['deferred_credit'] as { before: string; after: string }
            if (credit !== null) expect(before).toBe(credit)
            credit = after
            expect(parseUsd(after) - parseUsd(before)).toBe(movedTo('wallet', those))
          }
        },
      ),
      { numRuns: 40 },
    )
  }, 180_000)

  it('are closed once, after the month has ended, and a later change is noticed', async () => {
    const accounting = createPostgresAccounting(world.database.pool)
    const at = (ms: number) => ({ ...operatorAuthor(startOf('2026-02') + ms), requestId: 'req_1' })
    await fill([{ moment: { month: '2026-01', ms: 5 }, amount: 7n, way: ['top_up', 'cash', 'wallet'] }], [])
    const january = monthOf('2026-01')
    await expect(closeMonth(accounting, january, at(3_599_999))).rejects.toMatchObject({
      errorName: 'malformedRequest',
    })
    const closed = await closeMonth(accounting, january, at(3_600_000))
    expect(closed).toMatchObject({ month: '2026-01-01', closedAtMs: startOf('2026-02') + 3_600_000 })
    await expect(closeMonth(accounting, january, at(9_000_000))).rejects.toMatchObject({ errorName: 'conflict' })
    expect(await readMonth(accounting, january)).toMatchObject({ closed, agrees: true })
    expect(await accounting.listClosed()).toEqual([closed])
    const { rows } = await world.database.pool.query(
      `SELECT action, details ->> 'sha256' AS sha256 FROM audit_entries WHERE action = 'month.close'`,
    )
    expect(rows).toEqual([{ action: 'month.close', sha256: closed.sha256 }])

    await book([{ moment: { month: '2026-01', ms: 6 }, amount: 1n, way: ['fee', 'cash', 'fees'] }])
    const changed = await readMonth(accounting, january)
    expect(changed).toMatchObject({ closed, agrees: false, books: { revenue: '0.000000001' } })
    await expect(
      world.database.pool.query(`UPDATE closed_months SET journal = '{}' WHERE month = '2026-01-01'`),
    ).rejects.toThrow('closed_months_check')
  })

  it('have a charge at the end of the month whose id is from a gateway with a fast clock', async () => {
    const accounting = createPostgresAccounting(world.database.pool)
    await fill([], [])
    const last: Booking = {
      moment: { month: '2026-01', ms: 31 * 86_400_000 - 500 },
      amount: 7n,
      way: ['charge', 'wallet', 'usage'],
    }
    await book([last], { idLeadMs: 1_000 })
    const [january, february] = [
      await readMonth(accounting, monthOf('2026-01')),
      await readMonth(accounting, monthOf('2026-02')),
    ]
    expect([january.books['revenue'], february.books['revenue']]).toEqual(['0.000000007', '0'])
    const [before, after] = ['0', '-0.000000007']
    expect(january.books['deferred_credit']).toEqual({ before, after })
    expect(february.books['deferred_credit']).toEqual({ before: after, after })
  })

  it('count a request and its charge at the same instant, so in the same month', async () => {
    const { pool } = world.database
    await fill([], [])
    const walletId = await world.newWallet()
    const request = { walletId, keyId: newUuid(0), startedAtMs: Date.now(), cost: nanoUsd(5n) }
    await world.settle([request, request])
    const { rows } = await pool.query<{ apart: string }>(
      `SELECT max(abs(extract(epoch FROM g.settled_at - t.created_at))) AS apart
       FROM generations g JOIN ledger_transfers t ON t.id = g.id WHERE g.wallet_id = $1`,
      [walletId],
    )
    expect(Number(rows[0]?.apart)).toBe(0)
  })

  it('are not closed while the workers have not summed all requests of the month', async () => {
    const { pool } = world.database
    const accounting = createPostgresAccounting(pool)
    await world.rollUpAll()
    await fill([], [])
    const walletId = await world.newWallet()
    const request = { walletId, keyId: newUuid(0), startedAtMs: Date.now(), cost: nanoUsd(5n), provider: 'acme' }
    const settleAt = async (at: string) => {
      await world.settle([request])
      await pool.query('UPDATE generations SET settled_at = $1 WHERE settled_at > $2', [at, '2026-04-01'])
    }
    const author = { ...operatorAuthor(startOf('2026-03')), requestId: 'req_1' }
    await settleAt('2026-01-31T23:59:59.999Z')
    await expect(closeMonth(accounting, monthOf('2026-01'), author)).rejects.toMatchObject({ errorName: 'conflict' })
    expect(await accounting.listClosed()).toEqual([])
    await world.rollUpAll()
    await settleAt('2026-02-01T00:00:00Z')
    const { journal } = await closeMonth(accounting, monthOf('2026-01'), author)
    expect(journal).toContain('"provider":"acme"')
    await expect(closeMonth(accounting, monthOf('2026-02'), author)).rejects.toMatchObject({
      errorName: 'malformedRequest',
    })
  })

  it('have the tax of documents by country and rate, without those of a test mode', async () => {
    const accounting = createPostgresAccounting(world.database.pool)
    await fill([], [])
    const sold = [line('credit', '100', null), line('fee', '5', '5')]
    await issue('2026-02-01T00:00:00Z', 'DE', [...sold, line('tax', '19.95', '19')])
    await issue('2026-02-28T23:59:59Z', 'DE', [line('usage', '0.10', null), line('tax', '0.019', '19')])
    await issue('2026-02-03T00:00:00Z', 'DE', [line('credit', '-100', null), line('tax', '-19', '19')])
    await issue('2026-02-03T00:00:00Z', null, [line('balance', '7', null), line('credit', '1', null)])
    await issue('2026-02-03T00:00:00Z', 'FR', [line('tax', '1', '20')], true)
    await issue('2026-03-01T00:00:00Z', 'DE', [line('tax', '1', '19')])
    const { books } = await readMonth(accounting, monthOf('2026-02'))
    expect(books['taxes']).toEqual([
      { country: 'DE', percent: '19', currency: 'USD', documents: 3, net: '5.1', tax: '0.969' },
      { country: null, percent: null, currency: 'USD', documents: 1, net: '1', tax: '0' },
    ])
  })

  let serial = 0
  async function issue(at: string, country: string | null, lines: object[], test = false): Promise<void> {
    serial += 1
    const snapshot = JSON.stringify({ test, buyer: { country }, lines })
    await world.database.pool.query(
      `INSERT INTO billing_documents (id, series, year, serial, number, kind, wallet_id, month, currency, total_minor,
         total_nano, snapshot, sha256, issued_at)
       VALUES ($1, 'T', 2026, $2::int, 'T-' || $2::int, 'invoice', $1, '2026-02-01', 'USD', 0, 0, $3,
         encode(sha256(convert_to($3, 'UTF8')), 'hex'), $4)`,
      [newUuid(0), serial, snapshot, at],
    )
  }

  async function fill(booked: readonly Booking[], costs: readonly Cost[]): Promise<void> {
    await world.database.pool.query('TRUNCATE ledger_transfers, earning_days, closed_months')
    await world.database.pool.query('DELETE FROM wallets')
    await book(booked)
    const days = Map.groupBy(costs, (one) => `${dayOf(one)} ${one.provider}`)
    for (const [key, those] of days) {
      const [day, provider] = key.split(' ')
      const sum = those.reduce((total, one) => total + one.amount, 0n)
      await world.database.pool.query(`INSERT INTO earning_days VALUES ($1, $2, 'm', $3, $4, 0, 0, $5)`, [
        day,
        newUuid(0),
        provider,
        those.length,
        sum,
      ])
    }
  }

  /** Books as the store does: the wallet's balance moves with the transfer. */
  async function book(booked: readonly Booking[], { idLeadMs = -1_000 } = {}): Promise<void> {
    const walletId = await world.newWallet()
    for (const {
      moment: { month, ms },
      amount: moved,
      way,
    } of booked) {
      const atMs = startOf(month) + ms
      // A charge has the id of its request, which began a moment before; an order may have waited for weeks.
      const id = newUuid(atMs - (way[0] === 'charge' ? -idLeadMs : 100 * 86_400_000))
      await world.database.pool.query(
        `INSERT INTO ledger_transfers (id, leg, wallet_id, kind, debit, credit, amount_nano, created_at)
         VALUES ($1, 0, $2, $3, $4, $5, $6, $7)`,
        [id, walletId, ...way, moved, new Date(atMs)],
      )
    }
    await world.database.pool.query('UPDATE wallets SET balance_nano = balance_nano + $2 WHERE id = $1', [
      walletId,
      movedTo('wallet', booked),
    ])
  }
})

function line(item: string, usd: string, percent: string | null) {
  return { item, amount_usd: usd, percent }
}

function dayOf({ moment: { month, ms } }: Cost): string {
  return new Date(startOf(month) + ms).toISOString().slice(0, 10)
}

function movedTo(account: string, booked: readonly Booking[]): bigint {
  return booked.reduce((net, { amount: moved, way: [, debit, credit] }) => {
    return net + (credit === account ? moved : 0n) - (debit === account ? moved : 0n)
  }, 0n)
}

function usdText(nano: bigint): string {
  const text = `${nano < 0n ? -nano : nano}`.padStart(10, '0')
  const decimals = text.slice(-9).replace(/0+$/, '')
  return `${nano < 0n ? '-' : ''}${text.slice(0, -9)}${decimals === '' ? '' : `.${decimals}`}`
}

function expectedOf(booked: readonly Booking[], costs: readonly Cost[]) {
  const revenue = movedTo('usage', booked) + movedTo('fees', booked)
  const ours = movedTo('grants', booked) + movedTo('losses', booked) + movedTo('processor', booked)
  const spent = costs.reduce((total, one) => total + one.amount, 0n) - ours
  const kinds = new Set(booked.map(({ way }) => way[0]))
  const providers = new Set(costs.map(({ provider }) => provider))
  return {
    revenue: usdText(revenue),
    expenses: usdText(spent),
    result: usdText(revenue - spent),
    entries: { length: kinds.size + providers.size },
  }
}

it('a sum of nothing is written as 0', () => {
  expect([usdText(0n), usdText(-5n), usdText(nanoUsd(1_500_000_000n))]).toEqual(['0', '-0.000000005', '1.5'])
})
