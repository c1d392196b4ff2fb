import type { Pool } from 'pg'
import type { OrganizationListing } from '#domain/organizations/organization.ts'
import { isUuid } from '#lib/uuid.ts'
import {
  countColumns,
  organizationColumns,
  type OrganizationListingRow,
  organizationTables,
  readOrganizationListing,
} from './organization-columns.ts'

const text = `SELECT ${organizationColumns}, ${countColumns} FROM ${organizationTables} WHERE o.id = $1 OR o.slug = $2`

/** By id or slug; no slug looks like an id. */
export async function findOrganization(pool: Pool, reference: string): Promise<OrganizationListing | null> {
  const { rows } = await pool.query<OrganizationListingRow>(text, [isUuid(reference) ? reference : null, reference])
  const [row] = rows
  return row === undefined ? null : readOrganizationListing(row)
}
