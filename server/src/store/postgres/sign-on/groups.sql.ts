import type { Pool, PoolClient } from 'pg'
import type { GroupMapping, GroupRole } from '#domain/sign-on/connection.ts'
import type { Uuid } from '#lib/uuid.ts'

/** In the order in which they are tried. */
export async function listGroups(connection: Pool | PoolClient, organizationId: Uuid): Promise<GroupMapping[]> {
  const text = 'SELECT group_name, team_id, role FROM sign_on_groups WHERE organization_id = $1 ORDER BY position'
  const { rows } = await connection.query<{ group_name: string; team_id: string | null; role: GroupRole }>(text, [
    organizationId,
  ])
  return rows.map(({ group_name, team_id, role }) => ({ group: group_name, teamId: team_id, role }))
}

export async function replaceGroups(
  client: PoolClient,
  organizationId: Uuid,
  groups: readonly GroupMapping[],
): Promise<void> {
  await client.query('DELETE FROM sign_on_groups WHERE organization_id = $1', [organizationId])
  const text = `INSERT INTO sign_on_groups (organization_id, group_name, position, team_id, role)
    SELECT $1, given.* FROM unnest($2::text[], $3::integer[], $4::uuid[], $5::text[])
      AS given (group_name, position, team_id, role)`
  await client.query(text, [
    organizationId,
    groups.map(({ group }) => group),
    groups.map((_group, index) => index),
    groups.map(({ teamId }) => teamId),
    groups.map(({ role }) => role),
  ])
}

export async function findTeams(client: PoolClient, organizationId: Uuid, ids: readonly Uuid[]): Promise<Uuid[]> {
  const text = 'SELECT id FROM teams WHERE organization_id = $1 AND id = ANY ($2::uuid[])'
  const { rows } = await client.query<{ id: string }>(text, [organizationId, ids])
  return rows.map(({ id }) => id)
}
