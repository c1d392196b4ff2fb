import type { OrganizationListing } from '#domain/organizations/organization.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { Organizations } from '#ports/organizations.ts'

/** By id or slug. */
export async function readOrganization(organizations: Organizations, reference: string): Promise<OrganizationListing> {
  const organization = await organizations.find(reference)
  if (organization === null) throw new GatewayError('notFound', { message: `There is no organization ${reference}.` })
  return organization
}
