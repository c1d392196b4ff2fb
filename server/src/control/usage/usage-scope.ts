import type { Client } from '#domain/access/client.ts'
import type { Principal } from '#domain/access/principal.ts'
import type { Role } from '#domain/access/roles.ts'
import { type UsageScope, usageScopeOf, watchesBill } from '#domain/usage/usage-scope.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import { isUuid, type Uuid } from '#lib/uuid.ts'
import type { GenerationScope } from '#ports/account-reads.ts'
import type { Memberships, Place } from '#ports/organizations.ts'
import { forbidden } from '../access/open-organization.ts'
import type { UsageFilter } from '#ports/usage.ts'

/** The client, and the organization that a signed-in person asks about; null for the person's own wallet. */
export interface ScopeQuestion {
  readonly client: Client
  readonly organization: string | null
}

/** The requests whose usage a client may see. The person's membership is read on every request. */
export async function openUsageScope(memberships: Memberships, question: ScopeQuestion): Promise<UsageScope> {
  const place = await openPlace(memberships, question)
  if (place !== null) return { walletId: place.walletId, only: watchesBill(place.role) ? null : memberOf(place) }
  const { client } = question
  if (client.kind === 'session') return usageScopeOf(client, null)
  return usageScopeOf(client, await roleBehind(memberships, client.principal))
}

/** The filters as the client sent them; null means no filter. */
export interface AskedFilters {
  readonly model: string | null
  readonly apiKeyId: string | null
  readonly app: string | null
}

/**
 * Combines the scope and the filters; null if nothing can match. Keys of other clients need no extra rule: within the
 * scope they have no usage, like keys that do not exist.
 */
export function narrowScope({ only }: UsageScope, { model, apiKeyId, app }: AskedFilters): UsageFilter | null {
  if (apiKeyId !== null && !isUuid(apiKeyId)) return null
  if (apiKeyId !== null && only !== null && 'keyId' in only && only.keyId !== apiKeyId) return null
  return {
    ...only,
    ...(apiKeyId === null ? {} : { keyId: apiKeyId }),
    ...(model === null ? {} : { model }),
    ...(app === null ? {} : { app }),
  }
}

/**
 * The requests whose list and receipts a client may read. It is the usage scope, except that a billing role of an
 * organization sees the figures but not the requests of others.
 */
export async function openGenerationScope(memberships: Memberships, question: ScopeQuestion): Promise<GenerationScope> {
  const place = await openPlace(memberships, question)
  if (place !== null) {
    const only = place.role === 'org_admin' ? null : memberOf(place)
    return { walletId: place.walletId, only, userId: place.userId }
  }
  const { client } = question
  if (client.kind === 'session') return { ...usageScopeOf(client, null), userId: client.person.userId }
  const role = await roleBehind(memberships, client.principal)
  return { ...usageScopeOf(client, role === 'org_admin' ? role : null), userId: client.principal.userId }
}

/**
 * The wallet whose totals a client may read: a key's own, a person's own, or that of an organization in which the
 * person has a billing view.
 */
export async function openWallet(memberships: Memberships, question: ScopeQuestion): Promise<Uuid> {
  const place = await openPlace(memberships, question)
  if (place !== null && !watchesBill(place.role)) throw forbidden('watches no bill')
  const { client } = question
  return place?.walletId ?? (client.kind === 'session' ? client.person.walletId : client.principal.walletId)
}

/** The person's membership in the named organization and its wallet, or null if the query names none. */
async function openPlace(memberships: Memberships, { client, organization }: ScopeQuestion): Promise<Place | null> {
  if (organization === null) return null
  if (client.kind !== 'session') throw malformed('Remove organization: the API key already determines it.')
  const { userId } = client.person
  const place = isUuid(organization) ? await memberships.findPlace({ organizationId: organization, userId }) : null
  if (place === null) throw new GatewayError('notFound', { message: 'Organization not found.' })
  return place
}

function memberOf({ memberId }: Place): { memberId: Uuid } {
  return { memberId }
}

async function roleBehind(memberships: Memberships, principal: Principal): Promise<Role | null> {
  const { keyType, organizationId, userId } = principal
  if (keyType !== 'management' || organizationId === null || userId === null) return null
  return (await memberships.find({ organizationId, userId }))?.role ?? null
}
