import type { Pool, PoolClient } from 'pg'
import type { Role } from '#domain/access/roles.ts'
import type { Member, MemberListing } from '#domain/organizations/member.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { MemberQuery, PlaceQuery } from '#ports/organizations.ts'
import type { MemberSort, Page, PageRequest } from '#ports/pages.ts'
import { type BreakerColumns, readBreakerSettings } from '../breakers/breakers.sql.ts'
import { readNano, readNullableNano } from '../column-values.ts'
import { pageClause, pageOf, timeColumn } from '../page-clause.ts'
import { heldThisMonth } from './held-this-month.ts'

interface MemberRow {
  id: string
  user_id: string
  role: Role
  team_id: string | null
  monthly_budget_nano: string | null
  suspended: boolean
}

/** Finds a member by membership or by user. */
export async function findMember(
  client: PoolClient,
  organizationId: Uuid,
  query: { memberId: Uuid } | { userId: Uuid },
): Promise<Member | null> {
  const text = `SELECT id, user_id, role, team_id, monthly_budget_nano, suspended_at IS NOT NULL AS suspended FROM members
    WHERE organization_id = $1 AND (id = $2 OR user_id = $3)`
  const values = 'memberId' in query ? [query.memberId, null] : [null, query.userId]
  const { rows } = await client.query<MemberRow>(text, [organizationId, ...values])
  const [row] = rows
  return row === undefined ? null : readMember(row)
}

export async function findMembersByAddress(
  client: PoolClient,
  organizationId: Uuid,
  emails: readonly string[],
): Promise<Map<string, Member>> {
  const text = `SELECT m.id, m.user_id, m.role, m.team_id, m.monthly_budget_nano, m.suspended_at IS NOT NULL AS suspended,
      lower(u.email) AS email
    FROM users u JOIN members m ON m.user_id = u.id AND m.organization_id = $1 WHERE lower(u.email) = ANY ($2)`
  const { rows } = await client.query<MemberRow & { email: string }>(text, [organizationId, emails])
  return new Map(rows.map((row) => [row.email, readMember(row)]))
}

function readMember(row: MemberRow): Member {
  return {
    id: row.id,
    userId: row.user_id,
    role: row.role,
    teamId: row.team_id,
    monthlyBudget: readNullableNano(row.monthly_budget_nano),
    suspended: row.suspended,
  }
}

interface MemberListingRow extends MemberRow, BreakerColumns {
  user_name: string
  email: string
  team_name: string | null
  joined_at: Date
  spent_nano: string
  held_nano: string
  key_count: number
  cursor: string
}

const listingFrom = (
  members: string,
  { order, cursor }: { order: string; cursor: string },
): string => `SELECT m.id, m.user_id, u.name AS user_name, u.email, m.role, m.team_id,
      (SELECT t.name FROM teams t WHERE t.id = m.team_id) AS team_name, m.monthly_budget_nano, m.joined_at,
      m.suspended_at IS NOT NULL AS suspended, ${cursor} AS cursor,
      m.breaker_enabled, m.breaker_minute_nano, m.breaker_hour_nano, ${heldThisMonth('member', 'm.id')} AS held_nano,
      (SELECT count(*)::integer FROM api_keys k WHERE k.member_id = m.id AND k.revoked_at IS NULL AND NOT k.playground) AS key_count,
      coalesce((SELECT sum(d.spent_nano) FROM spend_days d
        WHERE d.kind = 'member' AND d.owner_id = m.id AND d.day >= $1::date), 0) AS spent_nano
    FROM ${members} AS m JOIN users u ON u.id = m.user_id
    ORDER BY ${order}`

const columns = { joined: timeColumn('m.joined_at') }

export async function listMembers(pool: Pool, query: PlaceQuery & { memberId?: Uuid }): Promise<MemberListing[]> {
  const members = `(SELECT m.* FROM members m
      WHERE m.organization_id = $2 AND ($3::uuid IS NULL OR m.team_id = $3) AND ($4::uuid IS NULL OR m.id = $4))`
  const values = [query.monthStart, query.organizationId, query.teamId ?? null, query.memberId ?? null]
  const text = listingFrom(members, { order: 'm.joined_at, m.id', cursor: `''` })
  const { rows } = await pool.query<MemberListingRow>(text, values)
  return rows.map(listingOf)
}

export async function listMemberPage(
  pool: Pool,
  query: MemberQuery,
  page: PageRequest<MemberSort>,
): Promise<Page<MemberListing>> {
  const { text, values } = memberPageStatement(query, page)
  const { rows } = await pool.query<MemberListingRow>(text, [...values])
  return pageOf(rows, page.limit, listingOf)
}

/** Selects the members of the page first, so that only their spend is summed. */
export function memberPageStatement(
  query: MemberQuery,
  page: PageRequest<MemberSort>,
): { text: string; values: readonly unknown[] } {
  const values: unknown[] = [query.monthStart, query.organizationId, query.teamId ?? null]
  const bind = (value: unknown): string => `$${values.push(value)}`
  const clause = pageClause(page, { columns, id: 'm.id', bind })
  const sought = page.search === null ? '' : bind(page.search)
  const found = `EXISTS (SELECT FROM users u WHERE u.id = m.user_id
        AND (strpos(lower(u.email), lower(${sought}::text)) > 0 OR strpos(lower(u.name), lower(${sought})) > 0))`
  const { inTeam, isIdle = false } = query
  const placed =
    inTeam === undefined ? '' : inTeam === null ? ' AND m.team_id IS NULL' : ` AND m.team_id = ${bind(inTeam)}::uuid`
  const idle = isIdle
    ? ` AND NOT EXISTS (SELECT FROM spend_days d WHERE d.kind = 'member' AND d.owner_id = m.id AND d.day >= $1::date AND d.spent_nano > 0)`
    : ''
  const members = `(SELECT m.* FROM members m WHERE m.organization_id = $2 AND ($3::uuid IS NULL OR m.team_id = $3)${placed}${idle}${
    sought === '' ? '' : ` AND ${found}`
  }${clause.where} ORDER BY ${clause.order} LIMIT ${clause.limit})`
  return { text: listingFrom(members, clause), values }
}

function listingOf(row: MemberListingRow): MemberListing {
  return {
    id: row.id,
    user: { id: row.user_id, name: row.user_name, email: row.email },
    team: row.team_id === null || row.team_name === null ? null : { id: row.team_id, name: row.team_name },
    role: row.role,
    joinedAtMs: row.joined_at.getTime(),
    monthlyBudget: readNullableNano(row.monthly_budget_nano),
    spentThisMonth: readNano(row.spent_nano),
    heldThisMonth: readNano(row.held_nano),
    breaker: readBreakerSettings(row),
    keyCount: row.key_count,
    suspended: row.suspended,
  }
}

export async function countMembers(
  client: PoolClient,
  organizationId: Uuid,
): Promise<{ members: number; admins: number }> {
  const text = `SELECT count(*)::integer AS members, 
      (count(*) FILTER (WHERE role = 'org_admin' AND suspended_at IS NULL))::integer AS admins
    FROM members WHERE organization_id = $1`
  const { rows } = await client.query<{ members: number; admins: number }>(text, [organizationId])
  return rows[0] ?? { members: 0, admins: 0 }
}

export async function insertMember(client: PoolClient, organizationId: Uuid, member: Member): Promise<void> {
  const text = `INSERT INTO members (id, organization_id, user_id, role, team_id, monthly_budget_nano)
    VALUES ($1, $2, $3, $4, $5, $6)`
  const values = [member.id, organizationId, member.userId, member.role, member.teamId, member.monthlyBudget]
  await client.query(text, values)
}

export async function updateMember(client: PoolClient, organizationId: Uuid, member: Member): Promise<void> {
  const text = `UPDATE members SET role = $3, team_id = $4, monthly_budget_nano = $5,
      suspended_at = CASE WHEN $6 THEN coalesce(suspended_at, now()) END, updated_at = now()
    WHERE organization_id = $1 AND id = $2`
  const { id, role, teamId, monthlyBudget, suspended } = member
  await client.query(text, [organizationId, id, role, teamId, monthlyBudget, suspended])
}

export async function deleteMember(
  client: PoolClient,
  { organizationId, memberId }: { organizationId: Uuid; memberId: Uuid },
): Promise<void> {
  const text = 'DELETE FROM members WHERE organization_id = $1 AND id = $2'
  await client.query(text, [organizationId, memberId])
}

/** Returns the members after the change: plain members of the team. */
export async function demoteTeamAdmins(
  client: PoolClient,
  { organizationId, teamId }: { organizationId: Uuid; teamId: Uuid },
): Promise<Member[]> {
  const text = `UPDATE members SET role = 'member', updated_at = now()
    WHERE organization_id = $1 AND team_id = $2 AND role = 'team_admin'
    RETURNING id, user_id, role, team_id, monthly_budget_nano, suspended_at IS NOT NULL AS suspended`
  const { rows } = await client.query<MemberRow>(text, [organizationId, teamId])
  return rows.map(readMember)
}

/** Revokes the keys of a member, of a team, or of a member for a team, and returns them. */
export async function revokeOrganizationKeys(
  client: PoolClient,
  { organizationId, memberId, teamId }: { organizationId: Uuid; memberId: Uuid | null; teamId: Uuid | null },
): Promise<Uuid[]> {
  // The rows stay, because the records of the keys' requests refer to them.
  const text = `UPDATE api_keys SET enabled = false, revoked_at = now(), updated_at = now()
    WHERE organization_id = $1 AND revoked_at IS NULL
      AND ($2::uuid IS NULL OR member_id = $2) AND ($3::uuid IS NULL OR team_id = $3)
    RETURNING id`
  const { rows } = await client.query<{ id: string }>(text, [organizationId, memberId, teamId])
  return rows.map(({ id }) => id)
}
