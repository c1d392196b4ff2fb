import type { Client } from '#domain/access/client.ts'
import type { JoinedOrganization, OrganizationListing } from '#domain/organizations/organization.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { Organizations } from '#ports/organizations.ts'

/** Finds an organization by id or slug. */
export async function readOrganization(organizations: Organizations, reference: string): Promise<OrganizationListing> {
  const organization = await organizations.find(reference)
  if (organization === null) throw new GatewayError('notFound', { message: `Organization ${reference} not found.` })
  return organization
}

/**
 * The organizations of a principal. A key of an organization sees only that one. A key without a member counts as a
 * member since the organization was created.
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
  return organization === null
    ? []
    : [{ ...organization, role: 'member', joinedAtMs: organization.createdAtMs, ownKeysMax: 0 }]
}
