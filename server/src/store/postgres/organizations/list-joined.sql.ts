import type { Pool } from 'pg'
import type { Role } from '#domain/access/roles.ts'
import type { JoinedOrganization } from '#domain/organizations/organization.ts'
import type { Uuid } from '#lib/uuid.ts'
import {
  countColumns,
  organizationColumns,
  type OrganizationListingRow,
  organizationTables,
  readOrganizationListing,
} from './organization-columns.ts'

const text = `SELECT ${organizationColumns}, ${countColumns}, m.role, m.joined_at
  FROM members m JOIN (${organizationTables}) ON o.id = m.organization_id
  WHERE m.user_id = $1 AND ($2::uuid IS NULL OR m.organization_id = $2)
  ORDER BY lower(o.name), o.id`

/** All organizations of a person, or one of them. */
export async function listJoined(
  pool: Pool,
  { userId, organizationId }: { userId: Uuid; organizationId?: Uuid },
): Promise<JoinedOrganization[]> {
  const values = [userId, organizationId ?? null]
  const { rows } = await pool.query<OrganizationListingRow & { role: Role; joined_at: Date }>(text, values)
  return rows.map((row) => ({
    ...readOrganizationListing(row),
    role: row.role,
    joinedAtMs: row.joined_at.getTime(),
  }))
}
