import type { KeyAccount } from '#domain/access/key-account.ts'
import type { Pool, PoolClient } from 'pg'
import type { EndCustomerLimits, EndCustomerTerms } from '#domain/end-customers/end-customer.ts'
import { windowStart } from '#domain/limits/window.ts'
import { assert } from '#lib/assert.ts'
import { dateOf } from '#lib/utc-calendar.ts'
import type { Uuid } from '#lib/uuid.ts'
import type {
  CustomerBalance,
  DayRange,
  EndCustomerDay,
  EndCustomerRecord,
  EndCustomerReference,
  EndCustomerSort,
  NewEndCustomer,
} from '#ports/end-customers.ts'
import { returnBalances } from './customer-balances.sql.ts'
import type { OwnCustomer, OwnData } from '#ports/own-data.ts'
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
  is_prepaid: boolean
}

const termsColumns = 'id, day_limit_nano, month_limit_nano, total_limit_nano, suspended_at, is_prepaid'

/** Null if there is no such customer. */
export async function findTerms(pool: Pool, walletId: Uuid, externalId: string): Promise<EndCustomerTerms | null> {
  const { rows } = await pool.query<TermsRow>({
    name: 'find-end-customer',
    text: `SELECT ${termsColumns} FROM end_customers WHERE wallet_id = $1 AND external_id = $2`,
    values: [walletId, externalId],
  })
  return rows[0] === undefined ? null : termsOf(rows[0])
}

function termsOf(row: TermsRow): EndCustomerTerms {
  return { id: row.id, suspended: row.suspended_at !== null, isPrepaid: row.is_prepaid, limits: limitsOf(row) }
}

function limitsOf(row: TermsRow): EndCustomerLimits {
  return {
    day: readNullableNano(row.day_limit_nano),
    month: readNullableNano(row.month_limit_nano),
    total: readNullableNano(row.total_limit_nano),
  }
}

/** `full`: the wallet has the maximum number of customers. `erased`: its owner was deleted. */
export type Creation = 'created' | 'exists' | 'full' | 'erased'

export async function insertEndCustomer(
  connection: Pool | PoolClient,
  walletId: Uuid,
  { id, externalId, name, limits, customersMax }: NewEndCustomer & { readonly customersMax: number },
): Promise<Creation> {
  const { rows } = await connection.query<{ creation: Creation }>({
    name: 'create-end-customer',
    text: 'SELECT create_end_customer($1, $2, $3, $4, $5, $6, $7, $8) AS creation',
    values: [id, walletId, externalId, name, limits.day, limits.month, limits.total, customersMax],
  })
  const [row] = rows
  assert(row !== undefined, 'a function returns a row')
  return row.creation
}

/** What its owner can change about a customer. */
export interface Settings {
  readonly name: string | null
  readonly limits: EndCustomerLimits
  readonly suspended: boolean
  readonly markup: number | null
  readonly isPrepaid: boolean
}

export async function lockEndCustomer(
  client: PoolClient,
  walletId: Uuid,
  externalId: string,
): Promise<(Settings & { readonly id: Uuid }) | null> {
  const { rows } = await client.query<TermsRow & { name: string | null; markup_basis_points: number | null }>(
    `SELECT ${termsColumns}, name, markup_basis_points FROM end_customers WHERE wallet_id = $1 AND external_id = $2 FOR UPDATE`,
    [walletId, externalId],
  )
  const [row] = rows
  return row === undefined ? null : { ...termsOf(row), name: row.name, markup: row.markup_basis_points }
}

export async function updateEndCustomer(
  client: PoolClient,
  id: Uuid,
  { name, limits, suspended, markup, isPrepaid }: Settings,
): Promise<void> {
  await client.query(
    `UPDATE end_customers SET name = $2, day_limit_nano = $3, month_limit_nano = $4, total_limit_nano = $5,
       suspended_at = CASE WHEN $6 THEN coalesce(suspended_at, clock_timestamp()) END, markup_basis_points = $7,
       is_prepaid = $8 WHERE id = $1`,
    [id, name, limits.day, limits.month, limits.total, suspended, markup, isPrepaid],
  )
}

/** From now on, requests are paid from the customer's balance alone. */
export async function setPrepaid(client: PoolClient, id: Uuid): Promise<void> {
  await client.query('UPDATE end_customers SET is_prepaid = true WHERE id = $1', [id])
}

interface RecordRow extends TermsRow {
  markup_basis_points: number | null
  external_id: string
  name: string | null
  created_at: Date
  spent_day: string
  spent_month: string
  spent_total: string
  requests: string
  balance_nano: string
  balance_held_nano: string
}

/** The condition on customers, `c`, of an account. A join would hide that all have one wallet, and so their order. */
function ofAccount(bind: (value: unknown) => string, account: KeyAccount): string {
  const [kind, owner] = ownerOf(account).map(bind)
  return `c.wallet_id = (SELECT w.id FROM wallets w WHERE w.owner_kind = ${kind} AND w.owner_id = ${owner})`
}

/** What each customer, `c`, spent up to now. */
function spentOfEach(bind: (value: unknown) => string, nowMs: number): string {
  const [day, month] = [windowStart('day', nowMs), windowStart('month', nowMs)].map((startMs) => bind(dateOf(startMs)))
  return `CROSS JOIN LATERAL (
      SELECT coalesce(sum(d.spent_nano) FILTER (WHERE d.day = ${day}::date), 0) AS spent_day,
        coalesce(sum(d.spent_nano) FILTER (WHERE d.day >= ${month}::date), 0) AS spent_month,
        coalesce(sum(d.spent_nano), 0) AS spent_total, coalesce(sum(d.requests), 0) AS requests
      FROM spend_days d WHERE d.kind = 'customer' AND d.owner_id = c.id
    ) AS s`
}

/** The balance of each customer, `c`, that is prepaid. Money paid in counts as negative spend. */
const balanceOfEach = `LEFT JOIN spend_windows b
      ON c.is_prepaid AND b.kind = 'customer_balance' AND b.owner_id = c.id AND b.starts_at = 0`
const balanceColumns = 'coalesce(-b.spent_nano, 0) AS balance_nano, coalesce(b.held_nano, 0) AS balance_held_nano'

const recordColumns = `c.id, c.external_id, c.name, c.day_limit_nano, c.month_limit_nano, c.total_limit_nano, c.suspended_at,
    c.markup_basis_points, c.created_at, c.is_prepaid, s.spent_day, s.spent_month, s.spent_total, s.requests,
    ${balanceColumns}`

function balanceOf(row: Pick<RecordRow, 'is_prepaid' | 'balance_nano' | 'balance_held_nano'>): CustomerBalance | null {
  return row.is_prepaid ? { amount: readNano(row.balance_nano), held: readNano(row.balance_held_nano) } : null
}

function recordOf(row: RecordRow): EndCustomerRecord {
  return {
    id: row.id,
    externalId: row.external_id,
    name: row.name,
    limits: limitsOf(row),
    suspended: row.suspended_at !== null,
    markup: row.markup_basis_points,
    balance: balanceOf(row),
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
  const text = `SELECT ${recordColumns} FROM end_customers c ${spentOfEach(bind, nowMs)} ${balanceOfEach}
    WHERE ${ofAccount(bind, account)} AND c.external_id = ${bind(externalId)}`
  const { rows } = await pool.query<RecordRow>(text, values)
  return rows[0] === undefined ? null : recordOf(rows[0])
}

/** A search finds the beginning of an id. The page is cut before anything is summed. */
export async function listEndCustomers(
  pool: Pool,
  { account, page, nowMs }: { account: KeyAccount; page: PageRequest<EndCustomerSort>; nowMs: number },
): Promise<Page<EndCustomerRecord>> {
  const { values, bind } = binder()
  const { where, order, limit, cursor } = pageClause(page, {
    columns: { created: timeColumn('c.created_at') },
    id: 'c.id',
    bind,
  })
  const search = page.search === null ? '' : ` AND c.external_id ^@ ${bind(page.search)}`
  const text = `SELECT ${recordColumns}, ${cursor} AS cursor FROM (
      SELECT * FROM end_customers c WHERE ${ofAccount(bind, account)}${search}${where} ORDER BY ${order} LIMIT ${limit}
    ) AS c ${spentOfEach(bind, nowMs)} ${balanceOfEach} ORDER BY ${order}`
  const { rows } = await pool.query<RecordRow & { cursor: string }>(text, values)
  return pageOf(rows, page.limit, recordOf)
}

/** The id of an account's customer, or null. */
export async function findCustomerId(pool: Pool, { account, externalId }: EndCustomerReference): Promise<Uuid | null> {
  const { values, bind } = binder()
  const text = `SELECT c.id FROM end_customers c WHERE ${ofAccount(bind, account)} AND c.external_id = ${bind(externalId)}`
  const { rows } = await pool.query<{ id: string }>(text, values)
  return rows[0]?.id ?? null
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
  const { values, bind } = binder()
  const { rows } = await pool.query<DayRow>(
    `SELECT c.id, d.day::text, d.spent_nano, d.requests, d.tokens FROM end_customers c
     LEFT JOIN spend_days d ON d.kind = 'customer' AND d.owner_id = c.id AND d.day BETWEEN ${bind(from)}::date AND ${bind(to)}::date
     WHERE ${ofAccount(bind, account)} AND c.external_id = ${bind(externalId)} ORDER BY d.day`,
    values,
  )
  if (rows.length === 0) return null
  return rows.flatMap(({ day, spent_nano: spent, requests, tokens }) =>
    day === null ? [] : [{ day, spent: readNano(spent), requests: Number(requests), tokens: Number(tokens) }],
  )
}

/** The customers of a wallet without their sums, by id. */
export async function listOwnCustomers(
  pool: Pool,
  { walletId, after, limit }: Parameters<OwnData['listCustomers']>[0],
): Promise<OwnCustomer[]> {
  const { rows } = await pool.query<
    TermsRow &
      Pick<
        RecordRow,
        'external_id' | 'name' | 'markup_basis_points' | 'created_at' | 'balance_nano' | 'balance_held_nano'
      >
  >({
    name: 'list-own-customers',
    text: `SELECT ${termsColumns}, external_id, name, markup_basis_points, created_at, ${balanceColumns}
      FROM end_customers c ${balanceOfEach}
      WHERE wallet_id = $1 AND external_id > $2 ORDER BY external_id LIMIT $3`,
    values: [walletId, after ?? '', limit],
  })
  return rows.map((row) => ({
    externalId: row.external_id,
    name: row.name,
    limits: limitsOf(row),
    suspended: row.suspended_at !== null,
    markup: row.markup_basis_points,
    balance: balanceOf(row),
    createdAtMs: row.created_at.getTime(),
  }))
}

/**
 * Erases the ids and names of a person's customers, and returns their balances to the wallet. Their sums stay, because
 * they are part of the person's books.
 */
export async function eraseEndCustomers(client: PoolClient, userId: Uuid, nowMs: number): Promise<void> {
  // Customers are locked before the wallet, as transfers do.
  await client.query(
    `UPDATE end_customers c SET name = NULL, external_id = c.id::text FROM wallets w
     WHERE w.id = c.wallet_id AND w.owner_kind = 'user' AND w.owner_id = $1`,
    [userId],
  )
  await returnBalances(client, userId, nowMs)
}
