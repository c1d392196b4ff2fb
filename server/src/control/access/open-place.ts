import type { Client } from '#domain/access/client.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import { isUuid } from '#lib/uuid.ts'
import type { Memberships, Place } from '#ports/organizations.ts'

/** The person's membership in an organization and its wallet. */
export async function openPlace(
  memberships: Memberships,
  { client, organization }: { client: Client; organization: string },
): Promise<Place> {
  if (client.kind !== 'session') throw malformed('Remove organization: the API key already determines it.')
  const { userId } = client.person
  const place = isUuid(organization) ? await memberships.findPlace({ organizationId: organization, userId }) : null
  if (place === null) throw new GatewayError('notFound', { message: 'Organization not found.' })
  return place
}
