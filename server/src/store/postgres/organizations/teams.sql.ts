import type { Pool, PoolClient } from 'pg'
import type { Team, TeamDefaultRole, TeamListing } from '#domain/organizations/team.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { PlaceQuery } from '#ports/organizations.ts'
import type { Page, PageRequest, TeamSort } from '#ports/pages.ts'
import { type BreakerColumns, readBreakerSettings } from '../breakers/breakers.sql.ts'
import { readNano, readNullableNano } from '../column-values.ts'
import { pageClause, pageOf, textColumn, timeColumn } from '../page-clause.ts'
import { heldThisMonth } from './held-this-month.ts'

interface TeamRow {
  id: string
  organization_id: string
  name: string
  description: string | null
  cost_center_code: string | null
  permission_scope: string | null
  monthly_budget_nano: string | null
  default_role: TeamDefaultRole | null
  default_budget_nano: string | null
  member_keys_max: number | null
}

export async function findTeam(
  client: PoolClient,
  { organizationId, teamId }: { organizationId: Uuid; teamId: Uuid },
): Promise<Team | null> {
  const text = `SELECT id, organization_id, name, description, cost_center_code, permission_scope, monthly_budget_nano,
      default_role, default_budget_nano, member_keys_max
    FROM teams WHERE organization_id = $1 AND id = $2`
  const { rows } = await client.query<TeamRow>(text, [organizationId, teamId])
  const [row] = rows
  return row === undefined ? null : readTeam(row)
}

/** All teams, without their spend. */
export async function readTeams(client: PoolClient, organizationId: Uuid): Promise<Team[]> {
  const text = `SELECT id, organization_id, name, description, cost_center_code, permission_scope, monthly_budget_nano,
      default_role, default_budget_nano, member_keys_max
    FROM teams WHERE organization_id = $1`
  const { rows } = await client.query<TeamRow>(text, [organizationId])
  return rows.map(readTeam)
}

function readTeam(row: TeamRow): Team {
  return {
    id: row.id,
    organizationId: row.organization_id,
    name: row.name,
    description: row.description,
    costCenterCode: row.cost_center_code,
    permissionScope: row.permission_scope,
    monthlyBudget: readNullableNano(row.monthly_budget_nano),
    defaultRole: row.default_role,
    defaultMonthlyBudget: readNullableNano(row.default_budget_nano),
    memberKeysMax: row.member_keys_max,
  }
}

interface TeamListingRow extends TeamRow, BreakerColumns {
  created_at: Date
  updated_at: Date
  spent_nano: string
  held_nano: string
  key_count: number
  member_count: number
  cursor: string
}

const listingFrom = (
  teams: string,
  { order, cursor }: { order: string; cursor: string },
): string => `SELECT t.id, t.organization_id, t.name, t.description, t.cost_center_code, t.permission_scope, t.monthly_budget_nano,
      t.default_role, t.default_budget_nano, t.member_keys_max,
      t.breaker_enabled, t.breaker_minute_nano, t.breaker_hour_nano, ${heldThisMonth('team', 't.id')} AS held_nano,
      (SELECT count(*)::integer FROM api_keys k WHERE k.team_id = t.id AND k.revoked_at IS NULL) AS key_count,
      t.created_at, t.updated_at, ${cursor} AS cursor, coalesce((SELECT sum(d.spent_nano) FROM spend_days d
        WHERE d.kind = 'team' AND d.owner_id = t.id AND d.day >= $1::date), 0) AS spent_nano,
      (SELECT count(*)::integer FROM members m WHERE m.team_id = t.id) AS member_count
    FROM ${teams} AS t ORDER BY ${order}`

const columns = { created: timeColumn('t.created_at'), name: textColumn('lower(t.name)') }
const chosenTeams = 'SELECT t.* FROM teams t WHERE t.organization_id = $2 AND ($3::uuid IS NULL OR t.id = $3)'

export async function listTeams(pool: Pool, query: PlaceQuery): Promise<TeamListing[]> {
  const values = [query.monthStart, query.organizationId, query.teamId ?? null]
  const text = listingFrom(`(${chosenTeams})`, { order: 'lower(t.name), t.id', cursor: `''` })
  const { rows } = await pool.query<TeamListingRow>(text, values)
  return rows.map(listingOf)
}

export async function listTeamPage(
  pool: Pool,
  query: PlaceQuery,
  page: PageRequest<TeamSort>,
): Promise<Page<TeamListing>> {
  const { text, values } = teamPageStatement(query, page)
  const { rows } = await pool.query<TeamListingRow>(text, [...values])
  return pageOf(rows, page.limit, listingOf)
}

/** Selects the teams of the page first, so that only their spend and members are counted. */
export function teamPageStatement(
  query: PlaceQuery,
  page: PageRequest<TeamSort>,
): { text: string; values: readonly unknown[] } {
  const values: unknown[] = [query.monthStart, query.organizationId, query.teamId ?? null]
  const bind = (value: unknown): string => `$${values.push(value)}`
  const clause = pageClause(page, { columns, id: 't.id', bind })
  const sought = page.search === null ? '' : ` AND strpos(lower(t.name), lower(${bind(page.search)}::text)) > 0`
  const teams = `(${chosenTeams}${sought}${clause.where} ORDER BY ${clause.order} LIMIT ${clause.limit})`
  return { text: listingFrom(teams, clause), values }
}

function listingOf(row: TeamListingRow): TeamListing {
  return {
    ...readTeam(row),
    memberCount: row.member_count,
    spentThisMonth: readNano(row.spent_nano),
    heldThisMonth: readNano(row.held_nano),
    breaker: readBreakerSettings(row),
    keyCount: row.key_count,
    createdAtMs: row.created_at.getTime(),
    updatedAtMs: row.updated_at.getTime(),
  }
}

export async function countTeams(client: PoolClient, organizationId: Uuid): Promise<number> {
  const text = 'SELECT count(*)::integer AS teams FROM teams WHERE organization_id = $1'
  const { rows } = await client.query<{ teams: number }>(text, [organizationId])
  return rows[0]?.teams ?? 0
}

/** Whether another team has the name. */
export async function findTeamName(
  client: PoolClient,
  { organizationId, name, exceptTeamId }: { organizationId: Uuid; name: string; exceptTeamId: Uuid | null },
): Promise<boolean> {
  const text = `SELECT 1 FROM teams
    WHERE organization_id = $1 AND lower(name) = lower($2) AND ($3::uuid IS NULL OR id <> $3)`
  const { rowCount } = await client.query(text, [organizationId, name, exceptTeamId])
  return rowCount !== 0
}

export async function insertTeam(client: PoolClient, team: Team): Promise<void> {
  const text = `INSERT INTO teams (id, organization_id, name, description, cost_center_code, permission_scope, monthly_budget_nano,
      default_role, default_budget_nano, member_keys_max)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`
  await client.query(text, teamColumns(team))
}

export async function updateTeam(client: PoolClient, team: Team): Promise<void> {
  const text = `UPDATE teams SET name = $3, description = $4, cost_center_code = $5, permission_scope = $6,
      monthly_budget_nano = $7, default_role = $8, default_budget_nano = $9, member_keys_max = $10, updated_at = now()
    WHERE organization_id = $2 AND id = $1`
  await client.query(text, teamColumns(team))
}

function teamColumns(team: Team): unknown[] {
  return [
    team.id,
    team.organizationId,
    team.name,
    team.description,
    team.costCenterCode,
    team.permissionScope,
    team.monthlyBudget,
    team.defaultRole,
    team.defaultMonthlyBudget,
    team.memberKeysMax,
  ]
}

/** Members refer to their team. Deleting it clears the reference. */
export async function deleteTeam(
  client: PoolClient,
  { organizationId, teamId }: { organizationId: Uuid; teamId: Uuid },
): Promise<void> {
  const text = 'DELETE FROM teams WHERE organization_id = $1 AND id = $2'
  await client.query(text, [organizationId, teamId])
}
