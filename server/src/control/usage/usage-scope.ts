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

/** Who asks, and of which organization a signed-in person wants to know; null: of the person's own wallet. */
export interface ScopeQuestion {
  readonly client: Client
  readonly organization: string | null
}

/** The requests that a client may see figures of. What a person is in an organization is read each time. */
export async function openUsageScope(memberships: Memberships, question: ScopeQuestion): Promise<UsageScope> {
  const place = await openPlace(memberships, question)
  if (place !== null) return { walletId: place.walletId, only: watchesBill(place.role) ? null : memberOf(place) }
  const { client } = question
  if (client.kind === 'session') return usageScopeOf(client, null)
  return usageScopeOf(client, await roleBehind(memberships, client.principal))
}

/** What a client asks to be left out, as it was sent; null: nothing. */
export interface AskedFilters {
  readonly model: string | null
  readonly apiKeyId: string | null
  readonly app: string | null
}

/**
 * What fits both the scope and the filters; null where nothing can. Keys of others need no rule of their own: within
 * the scope they have used nothing, like keys that never were.
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
 * The requests that a client may list, and whose receipts it may read: as for usage, but a billing role of an
 * organization sees its figures and not what others asked for.
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
 * The wallet whose totals a client may read: a key's own, a person's own, or that of an organization whose bill the
 * person watches.
 */
export async function openWallet(memberships: Memberships, question: ScopeQuestion): Promise<Uuid> {
  const place = await openPlace(memberships, question)
  if (place !== null && !watchesBill(place.role)) throw forbidden('watches no bill')
  const { client } = question
  return place?.walletId ?? (client.kind === 'session' ? client.person.walletId : client.principal.walletId)
}

/**
 * What a person is in the organization that a question names, and the wallet that pays there; null where it names none.
 */
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
