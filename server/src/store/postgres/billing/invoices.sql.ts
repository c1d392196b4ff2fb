import type { Pool, PoolClient } from 'pg'
import type { CostCenterUsage, MonthFigures } from '#domain/billing/draft-invoice.ts'
import { assert } from '#lib/assert.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { Invoice } from '#ports/billing.ts'
import { readNano } from '../column-values.ts'

/** A wallet and a past month (its first day) that has not been billed. */
export interface DueMonth {
  readonly walletId: Uuid
  readonly organizationId: Uuid
  readonly month: string
}

// A month is billed once none of its requests is running, or at noon on the first day of the next month at the latest.
const waitMax = `interval '12 hours'`

/** The earliest unbilled month of each organization that is billed monthly, since invoices were enabled. */
export async function findDueMonths(
  pool: Pool,
  { nowMs, atMost }: { nowMs: number; atMost: number },
): Promise<DueMonth[]> {
  const text = `SELECT w.id AS "walletId", o.id AS "organizationId", n.month::date::text AS month
    FROM organizations o JOIN wallets w ON w.owner_kind = 'organization' AND w.owner_id = o.id CROSS JOIN billing_start s
    CROSS JOIN LATERAL (
      SELECT greatest(date_trunc('month', s.started_at AT TIME ZONE 'UTC'), date_trunc('month', o.created_at AT TIME ZONE 'UTC'),
        (SELECT max(i.month) + interval '1 month' FROM invoiced_months i WHERE i.wallet_id = w.id)) AS month
    ) AS n
    CROSS JOIN LATERAL (SELECT (n.month + interval '1 month') AT TIME ZONE 'UTC' AS ends_at) AS e
    WHERE o.billing_mode = 'monthly' AND e.ends_at <= to_timestamp($1::float8 / 1000)
      AND (e.ends_at + ${waitMax} <= to_timestamp($1::float8 / 1000)
        OR NOT EXISTS (SELECT 1 FROM holds h WHERE h.wallet_id = w.id AND h.id < first_id_at(e.ends_at)))
    ORDER BY n.month, w.id LIMIT $2`
  const { rows } = await pool.query<DueMonth>(text, [nowMs, atMost])
  return rows
}

/** Returns false if another worker has billed the month. It waits for that worker at the wallet's lock. */
export async function takeMonth(client: PoolClient, { walletId, month }: DueMonth): Promise<boolean> {
  await client.query('SELECT 1 FROM wallets WHERE id = $1 FOR NO KEY UPDATE', [walletId])
  const text = 'INSERT INTO invoiced_months (wallet_id, month) VALUES ($1, $2) ON CONFLICT DO NOTHING'
  const { rowCount } = await client.query(text, [walletId, month])
  return rowCount === 1
}

/**
 * Requires the wallet's lock. In one statement, charges come from the monthly sums and from requests that are not in
 * them yet. The amount owed at the end of the month is everything charged until then, minus all credit, minus open
 * invoices.
 */
export async function readFigures(client: PoolClient, { walletId, month }: DueMonth): Promise<MonthFigures> {
  const text = `WITH charged AS (
      SELECT m.month, s.team_id, m.spent_nano AS spent FROM usage_months m JOIN usage_series s ON s.id = m.series_id
      WHERE m.wallet_id = $1 AND m.month >= $2::date
      UNION ALL
      SELECT date_trunc('month', u.started_at AT TIME ZONE 'UTC')::date, u.team_id, u.cost_nano FROM (
        SELECT g.wallet_id, g.started_at, g.team_id, g.cost_nano FROM generations g CROSS JOIN rollup_state r
        WHERE g.settled_position >= r.rolled_up_below AND g.id >= first_id_at($2::timestamp AT TIME ZONE 'UTC') OFFSET 0) AS u
      WHERE u.wallet_id = $1
    ), usage AS (
      SELECT nullif(trim(t.cost_center_code), '') AS "costCenter", sum(c.spent) AS amount
      FROM charged c LEFT JOIN teams t ON t.id = c.team_id WHERE c.month = $2::date GROUP BY 1 HAVING sum(c.spent) > 0
    )
    SELECT coalesce((SELECT json_agg(json_build_object('costCenter', u."costCenter", 'amount', u.amount::text)
        ORDER BY u."costCenter" NULLS LAST) FROM usage u), '[]') AS usage,
      (w.charged_nano - w.credited_nano - coalesce((SELECT sum(c.spent) FROM charged c WHERE c.month > $2::date), 0)
        - coalesce((SELECT sum(i.credit_nano - least(i.paid_nano, i.credit_nano)) FROM invoice_states i
            WHERE i.wallet_id = w.id AND i.paid_at IS NULL), 0))::text AS owed
    FROM wallets w WHERE w.id = $1`
  const { rows } = await client.query<{ usage: { costCenter: string | null; amount: string }[]; owed: string }>(text, [
    walletId,
    month,
  ])
  const [row] = rows
  assert(row !== undefined, 'a month is of a wallet')
  const usage: CostCenterUsage[] = row.usage.map(({ costCenter, amount }) => ({ costCenter, amount: readNano(amount) }))
  return { usage, owed: readNano(row.owed) }
}

export async function closeMonth(
  client: PoolClient,
  { walletId, month }: DueMonth,
  { documentId, carried }: { documentId: Uuid | null; carried: bigint },
): Promise<void> {
  const text = 'UPDATE invoiced_months SET document_id = $3, carried_nano = $4 WHERE wallet_id = $1 AND month = $2'
  await client.query(text, [walletId, month, documentId, carried])
}

interface NewInvoiceState extends Pick<Invoice, 'number' | 'walletId' | 'credit' | 'tax' | 'taxPercent' | 'dueAtMs'> {
  readonly documentId: Uuid
  /** Null means never. */
  readonly suspendsAtMs: number | null
}

export async function insertInvoice(client: PoolClient, invoice: NewInvoiceState): Promise<void> {
  const text = `INSERT INTO invoice_states (document_id, number, wallet_id, credit_nano, tax_nano, tax_percent, due_at, suspends_at)
    VALUES ($1, $2, $3, $4, $5, $6, to_timestamp($7::float8 / 1000), to_timestamp($8::float8 / 1000))`
  const { documentId, number, walletId, credit, tax, taxPercent, dueAtMs, suspendsAtMs } = invoice
  await client.query(text, [documentId, number, walletId, credit, tax, taxPercent, dueAtMs, suspendsAtMs])
}

interface InvoiceRow {
  number: string
  wallet_id: string
  credit_nano: string
  tax_nano: string
  tax_percent: string
  paid_nano: string
  due_at: Date
  paid_at: Date | null
  has_transfer: boolean
  open_order: string | null
}

export async function findInvoice(pool: Pool, number: string): Promise<Invoice | null> {
  const text = `SELECT i.number, i.wallet_id, i.credit_nano, i.tax_nano, i.tax_percent, i.paid_nano, i.due_at, i.paid_at,
      EXISTS (SELECT 1 FROM top_ups t WHERE t.provider = 'bank' AND t.reference = i.number) AS has_transfer,
      (SELECT t.id FROM top_ups t WHERE t.invoice_number = i.number AND t.state = 'open' AND t.provider <> 'bank') AS open_order
    FROM invoice_states i WHERE i.number = $1`
  const { rows } = await pool.query<InvoiceRow>(text, [number])
  const [row] = rows
  if (row === undefined) return null
  return {
    number: row.number,
    walletId: row.wallet_id,
    credit: readNano(row.credit_nano),
    tax: readNano(row.tax_nano),
    taxPercent: Number(row.tax_percent),
    paid: readNano(row.paid_nano),
    dueAtMs: row.due_at.getTime(),
    paidAtMs: row.paid_at?.getTime() ?? null,
    hasTransfer: row.has_transfer,
    openOrderId: row.open_order,
  }
}

/**
 * The amount that the payments of an invoice have credited, by the ledger. A refunded payment makes it unpaid again.
 */
export const paidByLedger = `SELECT coalesce(sum(CASE WHEN l.credit = 'wallet' THEN l.amount_nano WHEN l.debit = 'wallet' THEN -l.amount_nano ELSE 0 END), 0)
  FROM top_ups t JOIN top_up_effects e ON e.top_up_id = t.id JOIN ledger_transfers l ON l.id = e.transaction_id
  WHERE t.invoice_number = i.number`

/**
 * Requires the locks of the order and the wallet. Returns the owner whose spending the invoice had stopped and may
 * resume, or null.
 */
export async function notePaid(
  client: PoolClient,
  number: string,
): Promise<Pick<OverdueInvoice, 'walletId' | 'organizationId'> | null> {
  const text = `WITH before AS (SELECT i.document_id, i.suspended_at, (${paidByLedger}) AS paid FROM invoice_states i WHERE i.number = $1)
    UPDATE invoice_states i SET paid_nano = b.paid,
      paid_at = CASE WHEN b.paid >= i.credit_nano THEN coalesce(i.paid_at, now()) END,
      suspended_at = CASE WHEN b.paid < i.credit_nano THEN i.suspended_at END
    FROM before b, wallets w WHERE i.document_id = b.document_id AND w.id = i.wallet_id
    RETURNING b.suspended_at IS NOT NULL AND i.suspended_at IS NULL AS "isLifted", w.id AS "walletId", w.owner_id AS "organizationId"`
  const { rows } = await client.query<{ isLifted: boolean; walletId: Uuid; organizationId: Uuid }>(text, [number])
  const [row] = rows
  return row?.isLifted === true ? row : null
}

export interface OverdueInvoice {
  readonly documentId: Uuid
  readonly number: string
  readonly walletId: Uuid
  readonly organizationId: Uuid
}

/**
 * Unpaid invoices that are due for a reminder or for stopping the spending. They are locked and recorded as notified.
 */
export async function takeOverdue(
  client: PoolClient,
  what: 'reminded' | 'suspended',
  { nowMs, atMost }: { nowMs: number; atMost: number },
): Promise<OverdueInvoice[]> {
  const since = what === 'reminded' ? 'due_at' : 'suspends_at'
  const text = `UPDATE invoice_states i SET ${what}_at = now()
    FROM wallets w WHERE w.id = i.wallet_id AND i.document_id IN (
      SELECT x.document_id FROM invoice_states x
      WHERE x.paid_at IS NULL AND x.${what}_at IS NULL AND x.${since} <= to_timestamp($1::float8 / 1000)
      ORDER BY x.${since} LIMIT $2 FOR UPDATE SKIP LOCKED)
    RETURNING i.document_id AS "documentId", i.number, i.wallet_id AS "walletId", w.owner_id AS "organizationId"`
  const { rows } = await client.query<OverdueInvoice>(text, [nowMs, atMost])
  return rows
}
