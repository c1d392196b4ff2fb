import type { Pool, PoolClient } from 'pg'
import type { EndCustomerLimits, EndCustomerTerms } from '#domain/end-customers/end-customer.ts'
import { windowStart } from '#domain/limits/window.ts'
import { dateOf } from '#lib/utc-calendar.ts'
import type { Uuid } from '#lib/uuid.ts'
import type {
  DayRange,
  EndCustomerDay,
  EndCustomerRecord,
  EndCustomerReference,
  EndCustomerSort,
  NewEndCustomer,
} from '#ports/end-customers.ts'
import type { KeyAccount } from '#ports/keys.ts'
import type { Page, PageRequest } from '#ports/pages.ts'
import { readNano, readNullableNano } from '../column-values.ts'
import { pageClause, pageOf, timeColumn } from '../page-clause.ts'
import { ownerOf } from '../wallets/wallet-of-account.sql.ts'

interface TermsRow {
  id: string
  day_limit_nano: string | null
  month_limit_nano: string | null
  total_limit_nano: string | null
  suspended_at: Date | null
}

const termsColumns = 'id, day_limit_nano, month_limit_nano, total_limit_nano, suspended_at'

/** Two processes may meet a new customer at the same time: then the second statement reads the row of the first. */
export async function findOrCreateTerms(
  pool: Pool,
  { walletId, externalId, id }: { walletId: Uuid; externalId: string; id: Uuid },
): Promise<EndCustomerTerms> {
  const find = {
    name: 'find-end-customer',
    text: `SELECT ${termsColumns} FROM end_customers WHERE wallet_id = $1 AND external_id = $2`,
    values: [walletId, externalId],
  }
  const { rows: known } = await pool.query<TermsRow>(find)
  if (known[0] !== undefined) return termsOf(known[0])
  const { rows: made } = await pool.query<TermsRow>(
    `INSERT INTO end_customers (id, wallet_id, external_id) VALUES ($1, $2, $3)
     ON CONFLICT (wallet_id, external_id) DO NOTHING RETURNING ${termsColumns}`,
    [id, walletId, externalId],
  )
  const [row] = made.length > 0 ? made : (await pool.query<TermsRow>(find)).rows
  if (row === undefined) throw new Error('a customer is never deleted')
  return termsOf(row)
}

function termsOf(row: TermsRow): EndCustomerTerms {
  return { id: row.id, suspended: row.suspended_at !== null, limits: limitsOf(row) }
}

function limitsOf(row: TermsRow): EndCustomerLimits {
  return {
    day: readNullableNano(row.day_limit_nano),
    month: readNullableNano(row.month_limit_nano),
    total: readNullableNano(row.total_limit_nano),
  }
}

/** Returns whether there was no such customer yet. */
export async function insertEndCustomer(
  client: PoolClient,
  walletId: Uuid,
  { id, externalId, name, limits }: NewEndCustomer,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `INSERT INTO end_customers (id, wallet_id, external_id, name, day_limit_nano, month_limit_nano, total_limit_nano)
     VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (wallet_id, external_id) DO NOTHING`,
    [id, walletId, externalId, name, limits.day, limits.month, limits.total],
  )
  return rowCount === 1
}

/** What its owner can change about a customer. */
export interface Settings {
  readonly name: string | null
  readonly limits: EndCustomerLimits
  readonly suspended: boolean
}

export async function lockEndCustomer(
  client: PoolClient,
  walletId: Uuid,
  externalId: string,
): Promise<(Settings & { readonly id: Uuid }) | null> {
  const { rows } = await client.query<TermsRow & { name: string | null }>(
    `SELECT ${termsColumns}, name FROM end_customers WHERE wallet_id = $1 AND external_id = $2 FOR UPDATE`,
    [walletId, externalId],
  )
  const [row] = rows
  return row === undefined ? null : { ...termsOf(row), name: row.name }
}

export async function updateEndCustomer(
  client: PoolClient,
  id: Uuid,
  { name, limits, suspended }: Settings,
): Promise<void> {
  await client.query(
    `UPDATE end_customers SET name = $2, day_limit_nano = $3, month_limit_nano = $4, total_limit_nano = $5,
       suspended_at = CASE WHEN $6 THEN coalesce(suspended_at, clock_timestamp()) END WHERE id = $1`,
    [id, name, limits.day, limits.month, limits.total, suspended],
  )
}

interface RecordRow extends TermsRow {
  external_id: string
  name: string | null
  created_at: Date
  spent_day: string
  spent_month: string
  spent_total: string
  requests: string
}

/** The customers of an account, `c`, with what they spent up to now. */
function selectRecords(bind: (value: unknown) => string, account: KeyAccount, nowMs: number): string {
  const [kind, owner] = ownerOf(account).map(bind)
  const [day, month] = [windowStart('day', nowMs), windowStart('month', nowMs)].map((startMs) => bind(dateOf(startMs)))
  return `FROM end_customers c JOIN wallets w ON w.id = c.wallet_id AND w.owner_kind = ${kind} AND w.owner_id = ${owner}
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(d.spent_nano) FILTER (WHERE d.day = ${day}::date), 0) AS spent_day,
        coalesce(sum(d.spent_nano) FILTER (WHERE d.day >= ${month}::date), 0) AS spent_month,
        coalesce(sum(d.spent_nano), 0) AS spent_total, coalesce(sum(d.requests), 0) AS requests
      FROM spend_days d WHERE d.kind = 'customer' AND d.owner_id = c.id
    ) AS s`
}

const recordColumns = `c.id, c.external_id, c.name, c.day_limit_nano, c.month_limit_nano, c.total_limit_nano, c.suspended_at,
    c.created_at, s.spent_day, s.spent_month, s.spent_total, s.requests`

function recordOf(row: RecordRow): EndCustomerRecord {
  return {
    id: row.id,
    externalId: row.external_id,
    name: row.name,
    limits: limitsOf(row),
    suspended: row.suspended_at !== null,
    createdAtMs: row.created_at.getTime(),
    spent: { day: readNano(row.spent_day), month: readNano(row.spent_month), total: readNano(row.spent_total) },
    requests: Number(row.requests),
  }
}

function binder() {
  const values: unknown[] = []
  return { values, bind: (value: unknown): string => `$${values.push(value)}` }
}

export async function findEndCustomer(
  pool: Pool,
  { account, externalId }: EndCustomerReference,
  nowMs: number,
): Promise<EndCustomerRecord | null> {
  const { values, bind } = binder()
  const from = selectRecords(bind, account, nowMs)
  const text = `SELECT ${recordColumns} ${from} WHERE c.external_id = ${bind(externalId)}`
  const { rows } = await pool.query<RecordRow>(text, values)
  return rows[0] === undefined ? null : recordOf(rows[0])
}

/** A search finds the beginning of an id. */
export async function listEndCustomers(
  pool: Pool,
  { account, page, nowMs }: { account: KeyAccount; page: PageRequest<EndCustomerSort>; nowMs: number },
): Promise<Page<EndCustomerRecord>> {
  const { values, bind } = binder()
  const from = selectRecords(bind, account, nowMs)
  const { where, order, limit, cursor } = pageClause(page, {
    columns: { created: timeColumn('c.created_at') },
    id: 'c.id',
    bind,
  })
  const search = page.search === null ? '' : ` AND c.external_id ^@ ${bind(page.search)}`
  const text = `SELECT ${recordColumns}, ${cursor} AS cursor ${from} WHERE true${search}${where} ORDER BY ${order} LIMIT ${limit}`
  const { rows } = await pool.query<RecordRow & { cursor: string }>(text, values)
  return pageOf(rows, page.limit, recordOf)
}

interface DayRow {
  id: string
  day: string | null
  spent_nano: string
  requests: string
  tokens: string
}

/** Null if there is no such customer. */
export async function readCustomerDays(
  pool: Pool,
  { account, externalId }: EndCustomerReference,
  { from, to }: DayRange,
): Promise<readonly EndCustomerDay[] | null> {
  const { rows } = await pool.query<DayRow>(
    `SELECT c.id, d.day::text, d.spent_nano, d.requests, d.tokens FROM end_customers c
     JOIN wallets w ON w.id = c.wallet_id AND w.owner_kind = $1 AND w.owner_id = $2
     LEFT JOIN spend_days d ON d.kind = 'customer' AND d.owner_id = c.id AND d.day BETWEEN $4::date AND $5::date
     WHERE c.external_id = $3 ORDER BY d.day`,
    [...ownerOf(account), externalId, from, to],
  )
  if (rows.length === 0) return null
  return rows.flatMap(({ day, spent_nano: spent, requests, tokens }) =>
    day === null ? [] : [{ day, spent: readNano(spent), requests: Number(requests), tokens: Number(tokens) }],
  )
}

/** Erases what a person told about customers. Their sums stay, because they are part of the person's books. */
export async function eraseEndCustomers(client: PoolClient, userId: Uuid): Promise<void> {
  await client.query(
    `UPDATE end_customers c SET name = NULL, external_id = c.id::text FROM wallets w
     WHERE w.id = c.wallet_id AND w.owner_kind = 'user' AND w.owner_id = $1`,
    [userId],
  )
}
