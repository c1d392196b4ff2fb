import type { PoolClient } from 'pg'
import type { Organization } from '#domain/organizations/organization.ts'
import type { Uuid } from '#lib/uuid.ts'
import {
  organizationColumns,
  type OrganizationRow,
  organizationTables,
  readOrganization,
} from './organization-columns.ts'

// Not for update: new keys and members refer to the row, and must not wait for it.
const text = `SELECT ${organizationColumns} FROM ${organizationTables} WHERE o.id = $1 FOR NO KEY UPDATE OF o`

export async function lockOrganization(client: PoolClient, organizationId: Uuid): Promise<Organization | null> {
  const { rows } = await client.query<OrganizationRow>(text, [organizationId])
  const [row] = rows
  return row === undefined ? null : readOrganization(row)
}
