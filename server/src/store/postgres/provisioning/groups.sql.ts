import type { Pool, PoolClient } from 'pg'
import type { Uuid } from '#lib/uuid.ts'
import type { GroupNames, LockedGroup, ScimGroup, ScimPage, ScimQuery, TakenField } from '#ports/provisioning.ts'
import { type FilterColumn, type FilterColumns, filterSql } from './filter-sql.ts'

interface Row {
  id: string
  display_name: string
  external_id: string | null
  created_at: Date
  updated_at: Date
  members: { id: string; userName: string }[]
}

const columns = 'g.id, g.display_name, g.external_id, g.created_at, g.updated_at'

const membersOfGroup = `coalesce((SELECT json_agg(json_build_object('id', m.id, 'userName', coalesce(s.user_name, u.email))
        ORDER BY m.id) FROM scim_group_members gm JOIN members m ON m.id = gm.member_id JOIN users u ON u.id = m.user_id
        LEFT JOIN scim_users s ON s.member_id = m.id WHERE gm.group_id = g.id), '[]'::json)`

const filterColumns: FilterColumns = new Map(
  Object.entries<FilterColumn>({
    id: { kind: 'exact', sql: 'g.id::text' },
    displayname: { kind: 'text', sql: 'g.display_name' },
    externalid: { kind: 'exact', sql: 'g.external_id' },
    'members.value': {
      kind: 'exact',
      sql: `(SELECT string_agg(gm.member_id::text, ' ') FROM scim_group_members gm WHERE gm.group_id = g.id)`,
      equals: (value) => `g.id IN (SELECT gm.group_id FROM scim_group_members gm WHERE gm.member_id::text = ${value})`,
    },
    'meta.created': { kind: 'time', sql: 'g.created_at' },
    'meta.lastmodified': { kind: 'time', sql: 'g.updated_at' },
  }),
)

export async function listScimGroups(
  pool: Pool,
  { organizationId, filter, offset, limit, withMembers }: ScimQuery & { withMembers: boolean },
): Promise<ScimPage<ScimGroup>> {
  const values: unknown[] = [organizationId]
  const bind = (value: unknown): string => `$${values.push(value)}`
  const found = filter === null ? '' : ` AND ${filterSql(filter, filterColumns, bind)}`
  const from = `FROM scim_groups g WHERE g.organization_id = $1${found}`
  const text = `SELECT ${columns}, ${withMembers ? membersOfGroup : `'[]'::json`} AS members ${from}
    ORDER BY g.created_at, g.id OFFSET ${offset} LIMIT ${limit}`
  const [counted, listed] = await Promise.all([
    pool.query<{ total: number }>(`SELECT count(*)::integer AS total ${from}`, values),
    limit === 0 ? { rows: [] } : pool.query<Row>(text, values),
  ])
  return { entries: listed.rows.map(readGroup), total: counted.rows[0]?.total ?? 0 }
}

export async function findScimGroup(
  pool: Pool,
  { organizationId, groupId, withMembers }: { organizationId: Uuid; groupId: Uuid; withMembers: boolean },
): Promise<ScimGroup | null> {
  const text = `SELECT ${columns}, ${withMembers ? membersOfGroup : `'[]'::json`} AS members
    FROM scim_groups g WHERE g.organization_id = $1 AND g.id = $2`
  const { rows } = await pool.query<Row>(text, [organizationId, groupId])
  const [row] = rows
  return row === undefined ? null : readGroup(row)
}

function readGroup(row: Row): ScimGroup {
  return {
    id: row.id,
    displayName: row.display_name,
    externalId: row.external_id,
    members: row.members,
    createdAtMs: row.created_at.getTime(),
    updatedAtMs: row.updated_at.getTime(),
  }
}

export async function findLockedGroup(
  client: PoolClient,
  { organizationId, groupId }: { organizationId: Uuid; groupId: Uuid },
): Promise<LockedGroup | null> {
  const text = 'SELECT id, display_name, external_id FROM scim_groups WHERE organization_id = $1 AND id = $2'
  const { rows } = await client.query<Pick<Row, 'id' | 'display_name' | 'external_id'>>(text, [organizationId, groupId])
  const [row] = rows
  return row === undefined ? null : { id: row.id, displayName: row.display_name, externalId: row.external_id }
}

export async function findTakenGroup(
  client: PoolClient,
  organizationId: Uuid,
  { displayName, externalId, exceptGroupId }: GroupNames & { exceptGroupId: Uuid | null },
): Promise<TakenField> {
  const text = `SELECT coalesce(bool_or(lower(display_name) = lower($2)), false) AS name_taken FROM scim_groups
    WHERE organization_id = $1 AND id IS DISTINCT FROM $4
    HAVING bool_or(lower(display_name) = lower($2)) OR bool_or(external_id = $3)`
  const values = [organizationId, displayName, externalId, exceptGroupId]
  const { rows } = await client.query<{ name_taken: boolean }>(text, values)
  const [row] = rows
  if (row === undefined) return null
  return row.name_taken ? 'displayName' : 'externalId'
}

export async function countGroups(client: PoolClient, organizationId: Uuid): Promise<number> {
  const text = 'SELECT count(*)::integer AS groups FROM scim_groups WHERE organization_id = $1'
  const { rows } = await client.query<{ groups: number }>(text, [organizationId])
  return rows[0]?.groups ?? 0
}

export async function insertGroup(client: PoolClient, organizationId: Uuid, group: LockedGroup): Promise<void> {
  const text = 'INSERT INTO scim_groups (id, organization_id, display_name, external_id) VALUES ($1, $2, $3, $4)'
  await client.query(text, [group.id, organizationId, group.displayName, group.externalId])
}

export async function updateGroup(client: PoolClient, organizationId: Uuid, group: LockedGroup): Promise<void> {
  const text = `UPDATE scim_groups SET display_name = $3, external_id = $4, updated_at = now()
    WHERE organization_id = $2 AND id = $1`
  await client.query(text, [group.id, organizationId, group.displayName, group.externalId])
}

export async function deleteGroup(client: PoolClient, organizationId: Uuid, groupId: Uuid): Promise<void> {
  await client.query('DELETE FROM scim_groups WHERE organization_id = $1 AND id = $2', [organizationId, groupId])
}

export async function findUnknownMembers(
  client: PoolClient,
  organizationId: Uuid,
  memberIds: readonly Uuid[],
): Promise<Uuid[]> {
  const text = `SELECT given.id FROM unnest($2::uuid[]) AS given (id)
    WHERE NOT EXISTS (SELECT FROM members m WHERE m.organization_id = $1 AND m.id = given.id)`
  const { rows } = await client.query<{ id: string }>(text, [organizationId, memberIds])
  return rows.map(({ id }) => id)
}

export async function listGroupMembers(client: PoolClient, groupId: Uuid): Promise<Uuid[]> {
  const text = 'SELECT member_id FROM scim_group_members WHERE group_id = $1'
  const { rows } = await client.query<{ member_id: string }>(text, [groupId])
  return rows.map((row) => row.member_id)
}

export async function addToGroup(client: PoolClient, groupId: Uuid, memberIds: readonly Uuid[]): Promise<Uuid[]> {
  const text = `INSERT INTO scim_group_members (group_id, member_id) SELECT $1, given.id FROM unnest($2::uuid[]) AS given (id)
    ON CONFLICT DO NOTHING RETURNING member_id`
  const { rows } = await client.query<{ member_id: string }>(text, [groupId, memberIds])
  return rows.map((row) => row.member_id)
}

export async function removeFromGroup(client: PoolClient, groupId: Uuid, memberIds: readonly Uuid[]): Promise<Uuid[]> {
  const text = 'DELETE FROM scim_group_members WHERE group_id = $1 AND member_id = ANY ($2::uuid[]) RETURNING member_id'
  const { rows } = await client.query<{ member_id: string }>(text, [groupId, memberIds])
  return rows.map((row) => row.member_id)
}

export async function listGroupNames(client: PoolClient, memberId: Uuid): Promise<string[]> {
  const text = `SELECT g.display_name FROM scim_group_members gm JOIN scim_groups g ON g.id = gm.group_id
    WHERE gm.member_id = $1`
  const { rows } = await client.query<{ display_name: string }>(text, [memberId])
  return rows.map((row) => row.display_name)
}
