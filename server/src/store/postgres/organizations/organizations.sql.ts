import type { Pool, PoolClient } from 'pg'
import type { Role } from '#domain/access/roles.ts'
import { windowStart } from '#domain/limits/window.ts'
import type {
  BillingMode,
  JoinedOrganization,
  Organization,
  OrganizationDefaultRole,
  OrganizationListing,
  OrganizationSpend,
} from '#domain/organizations/organization.ts'
import type { JsonObject } from '#lib/json.ts'
import { isUuid, type Uuid } from '#lib/uuid.ts'
import type { NewOrganization } from '#ports/organizations.ts'
import { readNano, readNullableNano } from '../column-values.ts'

/** The columns of an organization (`o`) and its wallet (`w`) that every statement reads. */
const organizationColumns = `o.id, o.name, o.slug, o.plan, o.billing_mode, o.seats, o.settings,
    o.suspended_at IS NOT NULL AS suspended, o.weekly_budget_nano, o.monthly_budget_nano,
    o.member_keys_max, o.default_role, o.default_budget_nano, o.cache_ttl_seconds, o.created_at,
    w.id AS wallet_id, w.balance_nano, w.credit_line_nano`

const countColumns = `(SELECT count(*)::integer FROM teams t WHERE t.organization_id = o.id) AS team_count,
    (SELECT count(*)::integer FROM members c WHERE c.organization_id = o.id) AS member_count`

const organizationTables = `organizations o
  JOIN wallets w ON w.owner_kind = 'organization' AND w.owner_id = o.id`

interface OrganizationRow {
  id: string
  name: string
  slug: string
  plan: string
  billing_mode: BillingMode
  seats: number | null
  settings: JsonObject
  cache_ttl_seconds: number | null
  suspended: boolean
  weekly_budget_nano: string | null
  monthly_budget_nano: string | null
  member_keys_max: number
  default_role: OrganizationDefaultRole
  default_budget_nano: string | null
  created_at: Date
  wallet_id: string
  balance_nano: string
  credit_line_nano: string
}

interface OrganizationListingRow extends OrganizationRow {
  team_count: number
  member_count: number
}

interface JoinedRow extends OrganizationListingRow {
  role: Role
  joined_at: Date
  own_keys_max: number
}

function readOrganization(row: OrganizationRow): Organization {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    plan: row.plan,
    billing: row.billing_mode,
    creditLine: readNano(row.credit_line_nano),
    seats: row.seats,
    settings: row.settings,
    cacheTtlSeconds: row.cache_ttl_seconds,
    suspended: row.suspended,
    weeklyBudget: readNullableNano(row.weekly_budget_nano),
    monthlyBudget: readNullableNano(row.monthly_budget_nano),
    memberKeysMax: row.member_keys_max,
    defaultRole: row.default_role,
    defaultMonthlyBudget: readNullableNano(row.default_budget_nano),
    createdAtMs: row.created_at.getTime(),
  }
}

function readOrganizationListing(row: OrganizationListingRow): OrganizationListing {
  return {
    ...readOrganization(row),
    walletId: row.wallet_id,
    balance: readNano(row.balance_nano),
    teamCount: row.team_count,
    memberCount: row.member_count,
  }
}

/** Finds an organization by id or slug. No slug looks like an id. */
export async function findOrganization(pool: Pool, reference: string): Promise<OrganizationListing | null> {
  const text = `SELECT ${organizationColumns}, ${countColumns} FROM ${organizationTables} WHERE o.id = $1 OR o.slug = $2`
  const { rows } = await pool.query<OrganizationListingRow>(text, [isUuid(reference) ? reference : null, reference])
  const [row] = rows
  return row === undefined ? null : readOrganizationListing(row)
}

export async function listOrganizations(pool: Pool): Promise<OrganizationListing[]> {
  const text = `SELECT ${organizationColumns}, ${countColumns} FROM ${organizationTables} ORDER BY o.slug`
  const { rows } = await pool.query<OrganizationListingRow>(text)
  return rows.map(readOrganizationListing)
}

/** All organizations of a person, or one of them. */
export async function listJoined(
  pool: Pool,
  { userId, organizationId }: { userId: Uuid; organizationId?: Uuid },
): Promise<JoinedOrganization[]> {
  const text = `SELECT ${organizationColumns}, ${countColumns}, m.role, m.joined_at,
      coalesce((SELECT t.member_keys_max FROM teams t WHERE t.id = m.team_id), o.member_keys_max) AS own_keys_max
    FROM members m JOIN (${organizationTables}) ON o.id = m.organization_id
    WHERE m.user_id = $1 AND m.suspended_at IS NULL AND ($2::uuid IS NULL OR m.organization_id = $2)
    ORDER BY lower(o.name), o.id`
  const values = [userId, organizationId ?? null]
  const { rows } = await pool.query<JoinedRow>(text, values)
  return rows.map((row) => ({
    ...readOrganizationListing(row),
    role: row.role,
    joinedAtMs: row.joined_at.getTime(),
    ownKeysMax: row.own_keys_max,
  }))
}

/** Spend comes from daily sums, holds from the windows of the budgets. */
export async function readOrganizationSpend(
  pool: Pool,
  { organizationId, nowMs }: { organizationId: Uuid; nowMs: number },
): Promise<OrganizationSpend> {
  const text = `SELECT stored_spend(n.kind, $1, n.starts_at) AS spent_nano, coalesce(s.held_nano, 0) AS held_nano
    FROM unnest($2::text[], $3::bigint[]) WITH ORDINALITY AS n (kind, starts_at, position)
    LEFT JOIN spend_windows s ON s.kind = n.kind AND s.owner_id = $1 AND s.starts_at = n.starts_at
    ORDER BY n.position`
  const { rows } = await pool.query<{ spent_nano: string; held_nano: string }>(text, [
    organizationId,
    ['organization_week', 'organization_month'],
    [windowStart('week', nowMs), windowStart('month', nowMs)],
  ])
  const [week, month] = rows.map((row) => ({ spent: readNano(row.spent_nano), held: readNano(row.held_nano) }))
  if (week === undefined || month === undefined) throw new Error('the query must return both windows')
  return { week, month }
}

export async function lockOrganization(client: PoolClient, organizationId: Uuid): Promise<Organization | null> {
  // Not FOR UPDATE: new keys and members refer to the row and must not wait for it.
  const text = `SELECT ${organizationColumns} FROM ${organizationTables} WHERE o.id = $1 FOR NO KEY UPDATE OF o`
  const { rows } = await client.query<OrganizationRow>(text, [organizationId])
  const [row] = rows
  return row === undefined ? null : readOrganization(row)
}

/** Inserts the organization and its wallet. Returns false if the slug is taken. */
export async function insertOrganization(
  client: PoolClient,
  { organization, walletId, founderId }: Omit<NewOrganization, 'admin' | 'founder'> & { founderId: Uuid | null },
): Promise<boolean> {
  const text = `WITH made AS (
      INSERT INTO organizations (id, name, slug, plan, billing_mode, seats, founder_id)
      VALUES ($1, $2, $3, $4, $5, $6, $9) ON CONFLICT (slug) DO NOTHING RETURNING id
    )
    INSERT INTO wallets (id, owner_kind, owner_id, credit_line_nano) SELECT $7, 'organization', made.id, $8 FROM made`
  const { rowCount } = await client.query(text, [
    organization.id,
    organization.name,
    organization.slug,
    organization.plan,
    organization.billing,
    organization.seats,
    walletId,
    organization.creditLine,
    founderId,
  ])
  return rowCount === 1
}

/** Counts the organizations that a person created. The lock makes parallel creations wait for each other. */
export async function countFounded(client: PoolClient, userId: Uuid): Promise<number> {
  await client.query('SELECT FROM users WHERE id = $1 FOR NO KEY UPDATE', [userId])
  const { rows } = await client.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM organizations WHERE founder_id = $1',
    [userId],
  )
  return rows[0]?.count ?? 0
}

export async function updateOrganization(client: PoolClient, organization: Organization): Promise<void> {
  // The credit line belongs to the wallet. Both change together.
  const text = `WITH line AS (
      UPDATE wallets SET credit_line_nano = $9
      WHERE owner_kind = 'organization' AND owner_id = $1 AND credit_line_nano <> $9
    )
    UPDATE organizations SET name = $2, plan = $3, billing_mode = $4, seats = $5, settings = $6,
      weekly_budget_nano = $7, monthly_budget_nano = $8, member_keys_max = $11,
      default_role = $12, default_budget_nano = $13, cache_ttl_seconds = $14,
      suspended_at = CASE WHEN $10 THEN coalesce(suspended_at, now()) END, updated_at = now()
    WHERE id = $1`
  await client.query(text, [
    organization.id,
    organization.name,
    organization.plan,
    organization.billing,
    organization.seats,
    JSON.stringify(organization.settings),
    organization.weeklyBudget,
    organization.monthlyBudget,
    organization.creditLine,
    organization.suspended,
    organization.memberKeysMax,
    organization.defaultRole,
    organization.defaultMonthlyBudget,
    organization.cacheTtlSeconds,
  ])
}
