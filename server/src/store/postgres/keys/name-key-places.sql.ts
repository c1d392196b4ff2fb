import type { Pool, PoolClient } from 'pg'
import type { Uuid } from '#lib/uuid.ts'
import type { KeyRecord } from '#ports/keys.ts'

export type KeyPlaceNames = Pick<KeyRecord, 'member' | 'team'>

interface PlacedKey {
  readonly user_id: Uuid | null
  readonly member_id: Uuid | null
  readonly team_id: Uuid | null
}

/**
 * Names the members and teams of organization keys. Personal and shared keys need no statement. If all keys count for
 * one team, the teams of their members need not be read.
 */
export async function nameKeyPlaces(
  connection: Pool | PoolClient,
  keys: readonly PlacedKey[],
  knownTeamId?: Uuid,
): Promise<(key: PlacedKey) => KeyPlaceNames> {
  const ofMembers = keys.filter(({ member_id }) => member_id !== null)
  const people = await readPeople(
    connection,
    idsOf(ofMembers, ({ user_id }) => user_id),
  )
  const teamless = knownTeamId === undefined ? ofMembers.filter(({ team_id }) => team_id === null) : []
  const memberTeams = await readMemberTeams(
    connection,
    idsOf(teamless, ({ member_id }) => member_id),
  )
  const teamOf = ({ team_id, member_id }: PlacedKey): Uuid | null =>
    knownTeamId ?? team_id ?? memberTeams.get(member_id ?? '') ?? null
  const teams = await readTeams(connection, idsOf(keys, teamOf))
  return (key) => {
    const person = key.member_id === null ? undefined : people.get(key.user_id ?? '')
    return {
      member: key.member_id === null || person === undefined ? null : { id: key.member_id, ...person },
      team: teams.get(teamOf(key) ?? '') ?? null,
    }
  }
}

function idsOf(keys: readonly PlacedKey[], idOf: (key: PlacedKey) => Uuid | null): Uuid[] {
  return [...new Set(keys.flatMap((key) => idOf(key) ?? []))]
}

async function readPeople(
  connection: Pool | PoolClient,
  ids: readonly Uuid[],
): Promise<Map<Uuid, { name: string; email: string }>> {
  if (ids.length === 0) return new Map()
  const text = 'SELECT id, name, email FROM users WHERE id = ANY ($1::uuid[])'
  const { rows } = await connection.query<{ id: Uuid; name: string; email: string }>(text, [ids])
  return new Map(rows.map(({ id, name, email }) => [id, { name, email }]))
}

async function readMemberTeams(connection: Pool | PoolClient, ids: readonly Uuid[]): Promise<Map<Uuid, Uuid | null>> {
  if (ids.length === 0) return new Map()
  const text = 'SELECT id, team_id FROM members WHERE id = ANY ($1::uuid[])'
  const { rows } = await connection.query<{ id: Uuid; team_id: Uuid | null }>(text, [ids])
  return new Map(rows.map((row) => [row.id, row.team_id]))
}

async function readTeams(
  connection: Pool | PoolClient,
  ids: readonly Uuid[],
): Promise<Map<Uuid, { id: Uuid; name: string }>> {
  if (ids.length === 0) return new Map()
  const text = 'SELECT id, name FROM teams WHERE id = ANY ($1::uuid[])'
  const { rows } = await connection.query<{ id: Uuid; name: string }>(text, [ids])
  return new Map(rows.map((row) => [row.id, row]))
}
