import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { auditLedger } from '#store/postgres/reconciliation/audit-ledger.ts'
import { createLedgerReads } from '#store/postgres/ledger/postgres-ledger-reads.ts'
import { sweepHolds } from '#store/postgres/money/holds.sql.ts'
import { createAccounts, type TestAccounts } from '#test/setup/accounts.ts'
import { createTestDatabase, type TestDatabase } from '#test/setup/database.ts'
import { type Codes, createCodes, createHistory, type KnownOrder, paymentStep } from './payment-history.ts'

let database: TestDatabase
let accounts: TestAccounts
let codes: Codes

beforeAll(async () => {
  database = await createTestDatabase()
  accounts = createAccounts(database.pool, { secret: 'x'.repeat(32), refresh: async () => {} })
  codes = await createCodes(database.pool)
})
afterAll(() => database.drop())

const dayMs = 86_400_000
const nanoPerCent = 10_000_000n

it('[P9] [P10] [P11] [P12] any history of payments, spending and what goes back leaves every order and every line of the wallet explained', async () => {
  const rounds = fc.array(fc.array(paymentStep, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 10 })
  await fc.assert(
    fc.asyncProperty(rounds, async (history) => {
      const caller = await accounts.createClient({ usd: '0' })
      const { play, orders, walletId } = createHistory(database.pool, caller, codes)
      for (const round of history) {
        // The steps of a round run concurrently, on their own connections.
        await Promise.all(round.map(play))
        for (const known of orders) await expectOrder(known)
        await expectWallet(walletId)
      }
      // Excludes the wallets of an earlier failed history, because this one may be its shrunk form.
      const found = await auditLedger(database.pool, { overdueMs: 600_000 })
      expect(found.filter((finding) => finding.walletId === walletId || finding.walletId === null)).toEqual([])
      // Holds of one history would be overdue in a later one.
      await database.pool.query(`UPDATE holds SET lease_until = now() - interval '1 second'`)
      await sweepHolds(database.pool, 1_000)
    }),
    { numRuns: 30 },
  )
})

/** The sums of an order's transfers on the accounts of the owner, the service and the provider. */
async function expectOrder({ order, said }: KnownOrder): Promise<void> {
  const sums = said.at(-1)
  if (sums === undefined) throw new Error('a provider has said something of every order')
  const { rows } = await database.pool.query<{ account: string; nano: string; uneven: number }>(
    `SELECT p.account, sum(p.amount_nano)::text AS nano, count(*) FILTER (WHERE p.amount_nano % 10000000 <> 0)::integer AS uneven
     FROM ledger_postings p JOIN top_up_effects e ON e.transaction_id = p.id WHERE e.top_up_id = $1 GROUP BY 1`,
    [order.id],
  )
  const legs = new Map(rows.map(({ account, nano }) => [account, BigInt(nano)]))
  const on = (...names: string[]): bigint => names.reduce((sum, name) => sum + (legs.get(name) ?? 0n), 0n)
  expect(
    rows.filter(({ uneven }) => uneven > 0),
    'whole cents',
  ).toEqual([])
  expect(on(...legs.keys()), 'all legs together').toBe(0n)
  const { paid } = sums
  const gone = sums.refunded - sums.returned + sums.withdrawn - sums.reinstated
  const fees = (sums.processorFee - sums.processorFeeReturned) * nanoPerCent
  expect(on('processor'), 'what the processor took').toBe(-fees)
  const owned = on('wallet', 'fees', 'tax')
  const booked = await readBooked(order.id)
  if (order.currency === 'usd') {
    expect(booked.total, 'what was paid is booked').toBe(paid * nanoPerCent)
    expect(-on('cash', 'disputed') + fees, 'what was paid less what went back').toBe((paid - gone) * nanoPerCent)
    expect(owned, 'the owner and the service pay for no more than was paid').toBe(
      gone > paid ? 0n : (paid - gone) * nanoPerCent,
    )
  }
  if (gone === 0n) expect(on('wallet'), 'all of it').toBe(booked.credit)
  if (gone >= paid) expect(owned, 'nothing of it').toBe(0n)
  // The owner bears their share of the returned amount, to the nearest cent of the sum and of the share.
  const left = gone > paid ? 0n : paid - gone
  const off = on('wallet') * paid - booked.credit * left
  expect(off < 0n ? -off : off, 'the share of the owner').toBeLessThanOrEqual(nanoPerCent * paid)
  if (sums.withdrawn === sums.reinstated + sums.lost) expect(on('disputed'), 'no dispute is open').toBe(0n)
  const returned = sums.refunded - sums.returned + sums.lost
  expect(await readDocuments(order.id), 'a receipt, and credit notes of what went back for good').toEqual({
    receipts: 1,
    receipted: String(paid),
    noted: String(returned > paid ? -paid : -returned),
  })
}

async function readDocuments(id: string): Promise<unknown> {
  const { rows } = await database.pool.query(
    `SELECT count(*) FILTER (WHERE kind = 'receipt')::integer AS receipts,
       coalesce(sum(total_minor) FILTER (WHERE kind = 'receipt'), 0)::text AS receipted,
       coalesce(sum(total_minor) FILTER (WHERE kind = 'credit_note'), 0)::text AS noted
     FROM billing_documents WHERE top_up_id = $1`,
    [id],
  )
  return rows[0]
}

async function readBooked(id: string): Promise<{ credit: bigint; total: bigint }> {
  const text = `SELECT paid_credit_nano AS credit, paid_credit_nano + paid_fee_nano + paid_tax_nano AS total FROM top_ups WHERE id = $1`
  const { rows } = await database.pool.query<{ credit: string; total: string }>(text, [id])
  return { credit: BigInt(rows[0]?.credit ?? -1), total: BigInt(rows[0]?.total ?? -1) }
}

/** The owner can trace every nano-dollar of the balance: by sums, by a statement, and line by line. */
async function expectWallet(walletId: string): Promise<void> {
  const reads = createLedgerReads(database.pool)
  const wallet = await reads.readWallet(walletId)
  const { balance } = wallet
  const { paid, granted, redeemed, expired, corrected, refunded, disputed, writtenOff, charged } = wallet
  expect(paid + granted + redeemed + expired + corrected + refunded + disputed + writtenOff - charged).toBe(balance)
  const now = Date.now()
  const today = now - (now % dayMs)
  const statement = await reads.readStatement(walletId, { startMs: today - dayMs, endMs: today + 2 * dayMs })
  expect([statement.opening, statement.closing]).toEqual([0n, balance])
  expect(statement.lines.reduce((sum, { change }) => sum + change, 0n)).toBe(balance)
  const query = { walletId, kind: null, fromMs: null, toMs: null, after: null, limit: 10_000 }
  // Each line continues where another has ended: together they lead from zero to the balance.
  const ends = new Map<bigint, number>()
  const count = (at: bigint, by: number) => ends.set(at, (ends.get(at) ?? 0) + by)
  for (const { debit, credit, amount, balanceAfter } of await reads.listTransfers(query)) {
    if (balanceAfter === null) throw new Error('every line has a balance')
    const change = credit === 'wallet' ? amount : debit === 'wallet' ? -amount : 0n
    count(balanceAfter - change, 1)
    count(balanceAfter, -1)
  }
  count(0n, -1)
  count(balance, 1)
  expect([...ends].filter(([, open]) => open !== 0)).toEqual([])
}
