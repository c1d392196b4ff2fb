import type { Pool } from 'pg'
import type { Membership } from '#domain/access/judge-access.ts'
import type { Role } from '#domain/access/roles.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { MemberPlace, Memberships, Place } from '#ports/organizations.ts'
import { refuseWhenAway } from '../faults.ts'

/** A suspended member has no membership here, so a request gets the same answers as one from a stranger. */
export function createMemberships(pool: Pool): Memberships {
  return {
    find: (query) => refuseWhenAway(findMembership(pool, query)),
    findPlace: (query) => refuseWhenAway(findPlace(pool, query)),
    findPlaceByWallet: (query) => refuseWhenAway(findPlaceByWallet(pool, query)),
    findTeam: (query) => refuseWhenAway(findTeamPlace(pool, query)),
    findMember: (query) => refuseWhenAway(findMemberPlace(pool, query)),
    findKey: (query) => refuseWhenAway(findKeyPlace(pool, query)),
  }
}

async function findMembership(
  pool: Pool,
  { organizationId, userId }: { organizationId: Uuid; userId: Uuid },
): Promise<Membership | null> {
  const text = `SELECT id, role, team_id FROM members
    WHERE organization_id = $1 AND user_id = $2 AND suspended_at IS NULL`
  const { rows } = await pool.query<{ id: string; role: Role; team_id: string | null }>({
    name: 'find-membership',
    text,
    values: [organizationId, userId],
  })
  const [row] = rows
  if (row === undefined) return null
  return { organizationId, memberId: row.id, userId, role: row.role, teamId: row.team_id }
}

interface PlaceRow {
  id: string
  organization_id: string
  role: Role
  team_id: string | null
  wallet_id: string
  member_keys_max: number
}

const placeText = `SELECT m.id, m.organization_id, m.role, m.team_id, w.id AS wallet_id,
    coalesce((SELECT t.member_keys_max FROM teams t WHERE t.id = m.team_id), o.member_keys_max) AS member_keys_max
    FROM members m
    JOIN organizations o ON o.id = m.organization_id
    JOIN wallets w ON w.owner_kind = 'organization' AND w.owner_id = m.organization_id`

async function findPlace(
  pool: Pool,
  { organizationId, userId }: { organizationId: Uuid; userId: Uuid },
): Promise<Place | null> {
  const text = `${placeText} WHERE m.organization_id = $1 AND m.user_id = $2 AND m.suspended_at IS NULL`
  const { rows } = await pool.query<PlaceRow>(text, [organizationId, userId])
  return placeOf(rows[0], userId)
}

async function findPlaceByWallet(
  pool: Pool,
  { walletId, userId }: { walletId: Uuid; userId: Uuid },
): Promise<Place | null> {
  const text = `${placeText} WHERE w.id = $1 AND m.user_id = $2 AND m.suspended_at IS NULL`
  const { rows } = await pool.query<PlaceRow>(text, [walletId, userId])
  return placeOf(rows[0], userId)
}

function placeOf(row: PlaceRow | undefined, userId: Uuid): Place | null {
  if (row === undefined) return null
  return {
    organizationId: row.organization_id,
    memberId: row.id,
    userId,
    role: row.role,
    teamId: row.team_id,
    walletId: row.wallet_id,
    memberKeysMax: row.member_keys_max,
  }
}

async function findTeamPlace(
  pool: Pool,
  { organizationId, teamId }: { organizationId: Uuid; teamId: Uuid },
): Promise<{ id: Uuid } | null> {
  const text = 'SELECT id FROM teams WHERE organization_id = $1 AND id = $2'
  const { rows } = await pool.query<{ id: string }>(text, [organizationId, teamId])
  return rows[0] ?? null
}

async function findMemberPlace(
  pool: Pool,
  { organizationId, memberId }: { organizationId: Uuid; memberId: Uuid },
): Promise<MemberPlace | null> {
  const text = 'SELECT id, user_id, role, team_id FROM members WHERE organization_id = $1 AND id = $2'
  const { rows } = await pool.query<{ id: string; user_id: string; role: Role; team_id: string | null }>(text, [
    organizationId,
    memberId,
  ])
  const [row] = rows
  return row === undefined ? null : { id: row.id, userId: row.user_id, role: row.role, teamId: row.team_id }
}

async function findKeyPlace(
  pool: Pool,
  { organizationId, keyId }: { organizationId: Uuid; keyId: Uuid },
): Promise<{ id: Uuid; teamId: Uuid | null } | null> {
  // A management key belongs to no team, even if a team member created it: the team's administrator cannot manage it,
  // nor the personal keys of the team's members.
  const text = `SELECT k.id, CASE WHEN k.type = 'standard' THEN coalesce(k.team_id,
      CASE WHEN m.role IN ('team_admin', 'member') THEN m.team_id END) END AS team_id
    FROM api_keys k LEFT JOIN members m ON m.id = k.member_id
    WHERE k.organization_id = $1 AND k.id = $2 AND k.revoked_at IS NULL AND NOT k.playground`
  const { rows } = await pool.query<{ id: string; team_id: string | null }>(text, [organizationId, keyId])
  const [row] = rows
  return row === undefined ? null : { id: row.id, teamId: row.team_id }
}
