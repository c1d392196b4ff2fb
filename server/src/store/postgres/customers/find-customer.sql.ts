import type { PoolClient } from 'pg'
import type { Customer, CustomerKind } from '#ports/customers.ts'
import { type CustomerPartRows, customerOf } from './customer-rows.ts'
import { customerColumns, type CustomerRow, walletColumns } from './list-customers.sql.ts'

const keysMax = 50
const placesMax = 50
const notesMax = 50

/** All parts of one customer, from one snapshot. */
export async function findCustomer(client: PoolClient, walletId: string): Promise<Customer | null> {
  const text = `${byWallet('user')} UNION ALL ${byWallet('organization')}`
  const { rows } = await client.query<CustomerRow>(text, [walletId])
  const [row] = rows
  if (row === undefined) return null
  const parts = await readParts(client, row)
  return parts === null ? null : customerOf(row, { ...parts, keys: await readKeys(client, row) })
}

function byWallet(kind: CustomerKind): string {
  return `SELECT c.*, ${walletColumns} FROM (${customerColumns[kind]}) AS c
    JOIN wallets w ON w.owner_kind = c.kind AND w.owner_id = c.id WHERE w.id = $1`
}

async function readParts(client: PoolClient, { id, kind }: CustomerRow) {
  const facts = await client.query<CustomerPartRows['facts']>(kind === 'user' ? userFacts : organizationFacts, [id])
  const places = await client.query<CustomerPartRows['places'][number]>(kind === 'user' ? placesOfUser : members, [
    id,
    placesMax,
  ])
  const notes = await client.query<CustomerPartRows['notes'][number]>(notesText, [id, notesMax])
  const [fact] = facts.rows
  return fact === undefined ? null : { facts: fact, places: places.rows, notes: notes.rows }
}

async function readKeys(client: PoolClient, { id, kind }: CustomerRow) {
  const owned = kind === 'user' ? 'user_id = $1 AND organization_id IS NULL' : 'organization_id = $1'
  const keys = await client.query<CustomerPartRows['keys'][number]>(
    `SELECT id, name, prefix || '…' || suffix AS shown, type, enabled, spend_limit_nano, spend_limit_period, expires_at,
       revoked_at, created_at, count(*) OVER ()::integer AS total
     FROM api_keys WHERE ${owned} AND NOT playground ORDER BY revoked_at IS NOT NULL, created_at DESC, id DESC LIMIT $2`,
    [id, keysMax],
  )
  return keys.rows
}

const userFacts = `SELECT u.email_verified, u.breaker_enabled, u.breaker_minute_nano, u.breaker_hour_nano,
    (SELECT coalesce(array_agg(DISTINCT CASE a.provider_id WHEN 'credential' THEN 'password' ELSE a.provider_id END), '{}')
      FROM auth_accounts a WHERE a.user_id = u.id) AS ways,
    (SELECT count(*)::integer FROM auth_passkeys p WHERE p.user_id = u.id) AS passkeys,
    EXISTS (SELECT FROM auth_two_factors f WHERE f.user_id = u.id AND f.verified) AS second_factor,
    (SELECT count(*)::integer FROM auth_sessions s WHERE s.user_id = u.id AND s.expires_at > now()) AS sessions,
    (SELECT max(s.updated_at) FROM auth_sessions s WHERE s.user_id = u.id) AS last_seen_at
  FROM users u WHERE u.id = $1`

const organizationFacts = `SELECT plan, billing_mode, seats, weekly_budget_nano, monthly_budget_nano,
    breaker_enabled, breaker_minute_nano, breaker_hour_nano
  FROM organizations WHERE id = $1`

const placesOfUser = `SELECT o.id, o.name, m.role, m.suspended_at IS NOT NULL AS suspended, count(*) OVER ()::integer AS total
  FROM members m JOIN organizations o ON o.id = m.organization_id WHERE m.user_id = $1 ORDER BY lower(o.name), o.id LIMIT $2`

const members = `SELECT u.id, u.email AS name, m.role, m.suspended_at IS NOT NULL AS suspended, count(*) OVER ()::integer AS total
  FROM members m JOIN users u ON u.id = m.user_id WHERE m.organization_id = $1
  ORDER BY m.role <> 'org_admin', m.joined_at, m.id LIMIT $2`

const notesText = `SELECT n.id, n.text, n.created_at, coalesce(n.author_name, u.email) AS author
  FROM customer_notes n LEFT JOIN users u ON u.id = n.author_id
  WHERE n.owner_id = $1 ORDER BY n.id DESC LIMIT $2`
