import type { Pool } from 'pg'
import type { OrganizationListing } from '#domain/organizations/organization.ts'
import {
  countColumns,
  organizationColumns,
  type OrganizationListingRow,
  organizationTables,
  readOrganizationListing,
} from './organization-columns.ts'

const text = `SELECT ${organizationColumns}, ${countColumns} FROM ${organizationTables} ORDER BY o.slug`

export async function listOrganizations(pool: Pool): Promise<OrganizationListing[]> {
  const { rows } = await pool.query<OrganizationListingRow>(text)
  return rows.map(readOrganizationListing)
}
