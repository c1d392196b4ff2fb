import type { Pool, PoolClient } from 'pg'
import type { KeyType } from '#domain/access/principal.ts'
import { assert } from '#lib/assert.ts'
import { dateOf, startOf } from '#lib/utc-calendar.ts'
import type { KeyQuery, KeyRecord } from '#ports/keys.ts'
import type { KeySort, Page, PageRequest } from '#ports/pages.ts'
import { readNano } from '../column-values.ts'
import { openCapWindows } from '../money/open-cap-windows.ts'
import { accountValues } from '../identity/account-values.ts'
import { type KeySettingsRow, keySettingsColumns, readKeySettings } from './key-settings.sql.ts'
import { pageClause, pageOf, textColumn, timeColumn } from '../page-clause.ts'
import { type KeyPlaceNames, nameKeyPlaces } from './name-key-places.sql.ts'

// Institution keys are managed elsewhere. A management key belongs to no team. Only operators see playground keys and
// revoked keys. A window without holds has no row; the period's sum is then the starting value of the next hold.
const textFrom = (
  keys: string,
  { order, cursor }: { order: string; cursor: string },
): string => `SELECT k.id, k.name, k.type, k.prefix, k.suffix, k.revoked_at IS NOT NULL AS revoked,
    k.user_id, k.organization_id, k.member_id, k.team_id, k.created_by,
    ${keySettingsColumns.map((column) => `k.${column}`).join(', ')}, k.expires_at, k.created_at, k.updated_at,
    u.*, coalesce(w.balance_nano, 0) AS balance_nano, ${cursor} AS cursor,
    CASE WHEN c.starts_at IS NOT NULL THEN coalesce(s.held_nano + s.spent_nano, u.spent_cap) END AS cap_taken
  FROM ${keys} AS k
  LEFT JOIN wallets w ON w.id = k.wallet_id
  LEFT JOIN unnest($8::text[], $9::bigint[], $10::date[]) AS c (period, starts_at, first_day)
    ON c.period IS NOT DISTINCT FROM k.spend_limit_period
  LEFT JOIN spend_windows s ON s.owner_id = k.id AND s.kind = 'key_' || coalesce(k.spend_limit_period, 'life')
    AND s.starts_at = c.starts_at
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(d.spent_nano), 0) AS spent, coalesce(sum(d.requests), 0) AS requests,
      coalesce(sum(d.spent_nano) FILTER (WHERE d.day >= c.first_day), 0) AS spent_cap,
      coalesce(sum(d.spent_nano) FILTER (WHERE d.day >= $11::date), 0) AS spent_day,
      coalesce(sum(d.requests) FILTER (WHERE d.day >= $11::date), 0) AS requests_day,
      coalesce(sum(d.spent_nano) FILTER (WHERE d.day >= $12::date), 0) AS spent_week,
      coalesce(sum(d.requests) FILTER (WHERE d.day >= $12::date), 0) AS requests_week,
      coalesce(sum(d.spent_nano) FILTER (WHERE d.day >= $13::date), 0) AS spent_month,
      coalesce(sum(d.requests) FILTER (WHERE d.day >= $13::date), 0) AS requests_month,
      coalesce(sum(d.prompt_tokens + d.completion_tokens), 0) AS tokens, max(d.last_used_at) AS last_used_at
    FROM key_usage_days d WHERE d.key_id = k.id
  ) AS u
  ORDER BY ${order}`

interface Source {
  readonly from: string
  readonly where: string
}

const anyKey: Source = { from: 'api_keys k', where: '$4::uuid IS NULL' }
/** Keys of a team and of its members, as two joins, so that the planner can start with the team if it is small. */
const keysOfTeam: readonly Source[] = [
  { from: 'api_keys k', where: `k.type = 'standard' AND k.team_id = $4` },
  {
    from: 'api_keys k JOIN members m ON m.id = k.member_id',
    where: `k.type = 'standard' AND k.team_id IS NULL AND m.team_id = $4`,
  },
]

/** The keys that a query selects. Each part ends with the same clause. */
function chosenKeys({ account, teamId }: KeyQuery, end = ''): string {
  const types = account.kind === 'member' ? `k.type = 'standard'` : `k.type <> 'institution'`
  const parts = (teamId === undefined ? [anyKey] : keysOfTeam).map(
    ({ from, where }) => `SELECT k.* FROM ${from}
    WHERE ${types} AND ${where}
      AND ($1::uuid IS NULL OR (k.user_id = $1 AND k.organization_id IS NULL)) AND ($2::uuid IS NULL OR k.organization_id = $2)
      AND ($3::uuid IS NULL OR k.id = $3) AND ($5 OR (k.revoked_at IS NULL AND NOT k.playground))
      AND ($6::uuid IS NULL OR k.member_id = $6) AND (NOT $7 OR (k.member_id IS NULL AND k.team_id IS NULL))${end}`,
  )
  return `(${parts.map((part) => `(${part})`).join(' UNION ALL ')})`
}

const columns = { created: timeColumn('k.created_at'), name: textColumn('lower(k.name)') }
const newestFirst = { order: 'k.created_at DESC, k.id DESC', cursor: `''` }

interface Row extends KeySettingsRow {
  id: string
  name: string
  type: KeyType
  prefix: string
  suffix: string
  revoked: boolean
  user_id: string | null
  organization_id: string | null
  member_id: string | null
  team_id: string | null
  created_by: string | null
  expires_at: Date | null
  created_at: Date
  updated_at: Date
  last_used_at: Date | null
  spent: string
  requests: string
  spent_day: string
  requests_day: string
  spent_week: string
  requests_week: string
  spent_month: string
  requests_month: string
  tokens: string
  balance_nano: string
  /** Null if the key has a period that this version does not know. */
  cap_taken: string | null
  cursor: string
}

export async function selectKeys(connection: Pool | PoolClient, query: KeyQuery): Promise<KeyRecord[]> {
  // Not a named statement, here and below: the planner must see which conditions are present.
  const { rows } = await connection.query<Row>(textFrom(chosenKeys(query), newestFirst), valuesOf(query))
  return recordsOf(connection, rows)
}

/** Names members and teams after the keys are chosen, so that only those of the page are read. */
async function recordsOf(connection: Pool | PoolClient, rows: readonly Row[]): Promise<KeyRecord[]> {
  const placeOf = await nameKeyPlaces(connection, rows)
  return rows.map((row) => recordOf(row, placeOf(row)))
}

export async function selectKeyPage(pool: Pool, query: KeyQuery, page: PageRequest<KeySort>): Promise<Page<KeyRecord>> {
  const { text, values } = keyPageStatement(query, page)
  const { rows } = await pool.query<Row>(text, [...values])
  const placeOf = await nameKeyPlaces(pool, rows, query.teamId)
  return pageOf(rows, page.limit, (row) => recordOf(row, placeOf(row)))
}

export async function countSelectedKeys(pool: Pool, query: KeyQuery): Promise<number> {
  const text = `SELECT count(*)::integer AS total FROM ${chosenKeys(query)} AS k`
  const { rows } = await pool.query<{ total: number }>(text, choiceOf(query))
  return rows[0]?.total ?? 0
}

/** Selects the keys of the page first, so that only their usage is summed. */
export function keyPageStatement(
  query: KeyQuery,
  page: PageRequest<KeySort>,
): { text: string; values: readonly unknown[] } {
  const values = valuesOf(query)
  const bind = (value: unknown): string => `$${values.push(value)}`
  const clause = pageClause(page, { columns, id: 'k.id', bind })
  const sought = page.search === null ? '' : bind(page.search)
  const found = `(strpos(lower(k.name), lower(${sought}::text)) > 0 OR k.suffix = ${sought} OR k.id::text = ${sought})`
  const last = ` ORDER BY ${clause.order} LIMIT ${clause.limit}`
  const keys = chosenKeys(query, `${sought === '' ? '' : ` AND ${found}`}${clause.where}${last}`)
  return { text: textFrom(`(SELECT * FROM ${keys} AS k${last})`, clause), values }
}

/** The values that `chosenKeys` binds. */
function choiceOf({ account, keyId, teamId, withRevoked, memberId, sharedOnly }: KeyQuery): unknown[] {
  const owner = accountValues(account)
  return [
    owner.userId,
    owner.organizationId,
    keyId ?? null,
    teamId ?? null,
    withRevoked ?? false,
    owner.memberId ?? memberId ?? null,
    sharedOnly ?? false,
  ]
}

function valuesOf(query: KeyQuery): unknown[] {
  const { nowMs } = query
  const caps = openCapWindows(nowMs)
  const starts = (['day', 'week', 'month'] as const).map((unit) => dateOf(startOf(unit, nowMs)))
  return [...choiceOf(query), caps.periods, caps.starts, caps.days, ...starts]
}

function recordOf(row: Row, { member, team }: KeyPlaceNames): KeyRecord {
  assert(row.cap_taken !== null, `the table of periods has ${row.spend_limit_period}, the period of key ${row.id}`)
  return {
    ...readKeySettings(row),
    id: row.id,
    name: row.name,
    type: row.type,
    prefix: row.prefix,
    suffix: row.suffix,
    revoked: row.revoked,
    userId: row.user_id,
    organizationId: row.organization_id,
    memberId: row.member_id,
    member,
    teamId: row.team_id,
    team,
    createdBy: row.created_by,
    expiresAtMs: row.expires_at?.getTime() ?? null,
    createdAtMs: row.created_at.getTime(),
    updatedAtMs: row.updated_at.getTime(),
    lastUsedAtMs: row.last_used_at?.getTime() ?? null,
    total: { spent: readNano(row.spent), requests: Number(row.requests) },
    day: { spent: readNano(row.spent_day), requests: Number(row.requests_day) },
    week: { spent: readNano(row.spent_week), requests: Number(row.requests_week) },
    month: { spent: readNano(row.spent_month), requests: Number(row.requests_month) },
    tokens: Number(row.tokens),
    balance: readNano(row.balance_nano),
    capTaken: readNano(row.cap_taken),
  }
}
