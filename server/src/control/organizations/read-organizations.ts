import type { Client } from '#domain/access/client.ts'
import type { JoinedOrganization, OrganizationListing } from '#domain/organizations/organization.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { Organizations } from '#ports/organizations.ts'

/** By id or slug. */
export async function readOrganization(organizations: Organizations, reference: string): Promise<OrganizationListing> {
  const organization = await organizations.find(reference)
  if (organization === null) throw new GatewayError('notFound', { message: `Organization ${reference} not found.` })
  return organization
}

/**
 * The organizations of a principal. A key of an organization knows of that one alone; where the key has no member
 * with it, it is as good as a member who has been there from the beginning.
 */
export async function listOwnOrganizations(
  organizations: Organizations,
  client: Client,
): Promise<JoinedOrganization[]> {
  if (client.kind === 'session') return organizations.listJoined({ userId: client.person.userId })
  const { userId, organizationId } = client.principal
  if (organizationId === null) return userId === null ? [] : organizations.listJoined({ userId })
  const joined = userId === null ? [] : await organizations.listJoined({ userId, organizationId })
  if (joined.length > 0) return joined
  const organization = await organizations.find(organizationId)
  return organization === null ? [] : [{ ...organization, role: 'member', joinedAtMs: organization.createdAtMs }]
}
