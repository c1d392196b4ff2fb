import type { Pool, PoolClient } from 'pg'
import type { JournalAccountId } from '#domain/accounting/accounts.ts'
import type { JournalEntry } from '#domain/accounting/journal.ts'
import type { TransferKind } from '#domain/ledger/transfer.ts'
import { type NanoUsd, nanoUsd } from '#domain/money/nano-usd.ts'
import { type DayRange, dateOf, dayMs } from '#lib/utc-calendar.ts'
import { firstUuidAt } from '#lib/uuid.ts'
import type { Accounting, ClosedMonth, MonthBooks, TaxSum } from '#ports/accounting.ts'
import { appendAudit } from '../audit/audit.sql.ts'
import { readNano } from '../column-values.ts'
import { refuseWhenAway } from '../faults.ts'
import { sumEarnings } from '../usage/postgres-earnings.ts'
import { inTransaction } from '../with-client.ts'
import { readProcessorMonth } from './processor-month.sql.ts'

export function createPostgresAccounting(pool: Pool): Accounting {
  return {
    readMonth: (month) =>
      refuseWhenAway(inTransaction(pool, 'REPEATABLE READ, READ ONLY', (client) => readMonth(client, month))),
    readRevenue: (query) =>
      refuseWhenAway(
        inTransaction(pool, 'REPEATABLE READ, READ ONLY', async (client) => {
          const books = await readMonth(client, query.range)
          return { books, ...(await sumEarnings(client, query)) }
        }),
      ),
    readProcessorMonth: (month, limit) =>
      refuseWhenAway(
        inTransaction(pool, 'REPEATABLE READ, READ ONLY', (client) => readProcessorMonth(client, month, limit)),
      ),
    isSummedUntil: (ms) => refuseWhenAway(isSummedUntil(pool, ms)),
    listClosed: () => refuseWhenAway(findClosed(pool, '')),
    findClosed: async (month) => (await refuseWhenAway(findClosed(pool, 'WHERE month = $1', [month])))[0] ?? null,
    close: ({ month, closedAtMs, journal, sha256 }, entry) =>
      refuseWhenAway(
        inTransaction(pool, 'READ COMMITTED', async (client) => {
          const text = `INSERT INTO closed_months (month, closed_at, journal, sha256) VALUES ($1, $2, $3, $4)
            ON CONFLICT (month) DO NOTHING`
          const isNew = (await client.query(text, [month, new Date(closedAtMs), journal, sha256])).rowCount === 1
          if (isNew) await appendAudit(client, [entry], closedAtMs)
          return isNew
        }),
      ),
  }
}

async function readMonth(client: PoolClient, month: DayRange): Promise<MonthBooks> {
  const [transfers, costs, after] = [
    await readTransfers(client, month),
    await readCosts(client, month),
    await readCredit(client, month.endMs),
  ]
  const moved = transfers.reduce((net, { debit, credit, amount }) => {
    return net + (credit === 'wallet' ? amount : 0n) - (debit === 'wallet' ? amount : 0n)
  }, 0n)
  return {
    entries: [...transfers, ...costs],
    creditBefore: nanoUsd(after - moved),
    creditAfter: after,
    taxes: await readTaxes(client, month),
  }
}

interface TransferRow {
  kind: TransferKind
  debit: JournalAccountId
  credit: JournalAccountId
  amount: string
  count: number
}

// A charge has the id of its request. The longest request is a video, and a spool file may wait for weeks.
const chargeLagMs = 40 * dayMs

// Ids have the gateway's time and bookings that of Postgres, so the id of a charge may be later than its booking.
const clockLeadMs = dayMs

// Charges are found by the partitions of their ids; all others are few and have an index of their own.
// To the operator, the balances of an owner's customers are credit of the owner.
const booked = `SELECT kind, 'wallet' AS debit, credit, amount_nano FROM ledger_transfers
      WHERE kind = 'charge' AND id >= $3 AND id < $4 AND created_at >= $1 AND created_at < $2
    UNION ALL
    SELECT kind, debit, credit, amount_nano FROM ledger_transfers
      WHERE kind <> 'charge' AND kind <> 'customer_transfer' AND created_at >= $1 AND created_at < $2`

async function readTransfers(client: PoolClient, month: DayRange): Promise<JournalEntry[]> {
  const { rows } = await client.query<TransferRow>(
    `SELECT kind, debit, credit, sum(amount_nano)::text AS amount, count(*)::float8 AS count FROM (${booked}) AS t
     GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
    rangeOf(month),
  )
  return rows.map(({ amount, ...row }) => ({ ...row, provider: null, amount: readNano(amount) }))
}

function rangeOf({ startMs, endMs }: DayRange): unknown[] {
  const ids = [firstUuidAt(Math.max(0, startMs - chargeLagMs)), firstUuidAt(endMs + clockLeadMs)]
  return [new Date(startMs), new Date(endMs), ...ids]
}

async function readCosts(client: PoolClient, { startMs, endMs }: DayRange): Promise<JournalEntry[]> {
  const { rows } = await client.query<{ provider: string; amount: string; count: number }>(
    `SELECT provider, sum(provider_cost_nano)::text AS amount, sum(requests)::float8 AS count FROM earning_days
     WHERE day >= $1 AND day < $2 GROUP BY 1 HAVING sum(provider_cost_nano) > 0 ORDER BY 1`,
    [dateOf(startMs), dateOf(endMs)],
  )
  return rows.map(({ provider, amount, count }) => ({
    kind: 'provider_cost',
    provider,
    debit: 'provider_cost',
    credit: 'provider_payable',
    amount: readNano(amount),
    count,
  }))
}

/** Whether `earning_days` has every request that was settled before an instant. Workers add them in order. */
async function isSummedUntil(pool: Pool, ms: number): Promise<boolean> {
  const { rows } = await pool.query<{ summed: boolean }>(
    `SELECT NOT EXISTS (SELECT FROM generations g CROSS JOIN rollup_state s
       WHERE g.settled_position >= s.earned_below AND g.settled_at < $1) AS summed`,
    [new Date(ms)],
  )
  return rows[0]?.summed === true
}

/** The credit of all wallets at an instant: what they have now, less what came since. */
async function readCredit(client: PoolClient, atMs: number): Promise<NanoUsd> {
  const { rows } = await client.query<{ credit: string }>(
    `SELECT ((SELECT coalesce(sum(balance_nano), 0) FROM wallets)
      - coalesce(sum(CASE WHEN credit = 'wallet' THEN amount_nano ELSE 0 END), 0)
      + coalesce(sum(CASE WHEN debit IN ('wallet', 'customers') THEN amount_nano ELSE 0 END), 0))::text AS credit
     FROM ledger_transfers WHERE kind <> 'customer_transfer' AND created_at >= $1 AND (kind <> 'charge' OR id >= $2)`,
    [new Date(atMs), firstUuidAt(Math.max(0, atMs - chargeLagMs))],
  )
  return readNano(rows[0]?.credit ?? '0')
}

interface TaxRow {
  country: string | null
  percent: string | null
  currency: string
  documents: number
  net: string
  tax: string
}

/** A payment's document taxes credit and fee, an invoice its usage. */
async function readTaxes(client: PoolClient, { startMs, endMs }: DayRange): Promise<TaxSum[]> {
  const { rows } = await client.query<TaxRow>(
    `SELECT country, percent, currency, count(*)::float8 AS documents,
       round(sum(net) * 1000000000)::text AS net, round(sum(tax) * 1000000000)::text AS tax
     FROM (
       SELECT s #>> '{buyer,country}' AS country, d.currency,
         (SELECT max(l ->> 'percent') FROM json_array_elements(s -> 'lines') AS l WHERE l ->> 'item' = 'tax') AS percent,
         (SELECT coalesce(sum((l ->> 'amount_usd')::numeric), 0) FROM json_array_elements(s -> 'lines') AS l
          WHERE l ->> 'item' = 'tax') AS tax,
         (SELECT coalesce(sum((l ->> 'amount_usd')::numeric), 0) FROM json_array_elements(s -> 'lines') AS l
          WHERE l ->> 'item' IN ('credit', 'fee', 'usage')) AS net
       FROM billing_documents d CROSS JOIN LATERAL (SELECT d.snapshot::json AS s) AS parsed
       WHERE d.issued_at >= $1 AND d.issued_at < $2 AND NOT (s ->> 'test')::boolean
     ) AS documents
     GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`,
    [new Date(startMs), new Date(endMs)],
  )
  return rows.map(({ net, tax, ...row }) => ({ ...row, net: readNano(net), tax: readNano(tax) }))
}

interface ClosedRow {
  month: string
  closed_at: Date
  journal: string
  sha256: string
}

async function findClosed(pool: Pool, condition: string, values: unknown[] = []): Promise<ClosedMonth[]> {
  const text = `SELECT month::text AS month, closed_at, journal, sha256 FROM closed_months ${condition} ORDER BY month`
  const { rows } = await pool.query<ClosedRow>(text, values)
  return rows.map(({ month, closed_at: closedAt, journal, sha256 }) => {
    return { month, closedAtMs: closedAt.getTime(), journal, sha256 }
  })
}
