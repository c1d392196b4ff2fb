import type { Client } from '#domain/access/client.ts'
import type { Principal } from '#domain/access/principal.ts'
import type { Role } from '#domain/access/roles.ts'
import { type UsageScope, usageScopeOf, watchesBill } from '#domain/usage/usage-scope.ts'
import type { Tag } from '#domain/tags/tag.ts'
import { isUuid, type Uuid } from '#lib/uuid.ts'
import type { GenerationFilter, GenerationScope } from '#ports/account-reads.ts'
import type { Memberships, Place } from '#ports/organizations.ts'
import { forbidden } from '../access/open-organization.ts'
import { openPlace } from '../access/open-place.ts'
import type { UsageFilter, UsageSubjects } from '#ports/usage.ts'

/** The client, and the organization that a signed-in person asks about; null for the person's own wallet. */
export interface ScopeQuestion {
  readonly client: Client
  readonly organization: string | null
}

/** The requests whose usage a client may see, and which owners the client may tell apart. */
export interface OpenedUsage extends UsageScope {
  readonly seesTeams: boolean
  /** A billing role sees the spend of teams, but not that of people. */
  readonly seesMembers: boolean
}

/** Opens the usage of a client. The person's membership is read on every request. */
export async function openUsageScope(memberships: Memberships, question: ScopeQuestion): Promise<OpenedUsage> {
  const place = await openPlaceOf(memberships, question)
  if (place !== null) {
    const only = watchesBill(place.role) ? null : memberOf(place)
    return { walletId: place.walletId, only, ...ownersSeenBy(place.role) }
  }
  const { client } = question
  if (client.kind === 'session') return { ...usageScopeOf(client, null), ...ownersSeenBy(null) }
  const role = await roleBehind(memberships, client.principal)
  return { ...usageScopeOf(client, role), ...ownersSeenBy(role) }
}

function ownersSeenBy(role: Role | null): Pick<OpenedUsage, 'seesTeams' | 'seesMembers'> {
  return { seesTeams: watchesBill(role), seesMembers: role === 'org_admin' }
}

/** The filters as the client sent them; null means no filter. */
export interface AskedFilters {
  readonly model: string | null
  readonly apiKeyId: string | null
  readonly app: string | null
  readonly memberId: string | null
  readonly teamId: string | null
  readonly tag: Tag | null
}

export const noFilters: AskedFilters = {
  model: null,
  apiKeyId: null,
  app: null,
  memberId: null,
  teamId: null,
  tag: null,
}

/** Rejects filters that would show the spend of people or teams to a client who may not see it. */
export function judgeOwnerFilters(opened: OpenedUsage, { memberId, teamId }: AskedFilters): void {
  const isOwn = opened.only !== null && 'memberId' in opened.only && opened.only.memberId === memberId
  if (memberId !== null && !isOwn && !opened.seesMembers) throw forbidden("can't view spend by member")
  if (teamId !== null && !opened.seesTeams) throw forbidden("can't view spend by team")
}

/** The same with the tag looked up. A tag that no request had matches nothing. */
export async function narrowToTag(
  subjects: Pick<UsageSubjects, 'findTag'>,
  scope: UsageScope,
  asked: AskedFilters,
): Promise<UsageFilter | null> {
  const narrowed = narrowScope(scope, asked)
  if (narrowed === null || asked.tag === null) return narrowed
  const tagId = await subjects.findTag(scope.walletId, asked.tag)
  return tagId === null ? null : { ...narrowed, tagId }
}

/**
 * Looks up the customer, the run and the tag that filter a list of requests. Null if the wallet does not have one of
 * them.
 */
export async function findLabels(
  subjects: Pick<UsageSubjects, 'findTag' | 'findCustomer' | 'findRun'>,
  walletId: Uuid,
  { customer, run, tag }: { readonly customer: string | null; readonly run: string | null; readonly tag: Tag | null },
): Promise<Pick<GenerationFilter, 'endCustomerId' | 'runId' | 'tagId'> | null> {
  const endCustomerId = customer === null ? null : await subjects.findCustomer(walletId, customer)
  const tagId = tag === null ? null : await subjects.findTag(walletId, tag)
  const runId = run === null ? null : await subjects.findRun(walletId, run)
  const isUnknown =
    (customer !== null && endCustomerId === null) ||
    (run !== null && runId === null) ||
    (tag !== null && tagId === null)
  return isUnknown ? null : { endCustomerId, runId, tagId }
}

/**
 * Combines the scope and the filters; null if nothing can match. Keys of other clients need no extra rule: within the
 * scope they have no usage, like keys that do not exist.
 */
export function narrowScope({ only }: UsageScope, asked: AskedFilters): UsageFilter | null {
  const { model, apiKeyId, app, memberId, teamId } = asked
  if (!isIdOrNull(apiKeyId) || !isIdOrNull(memberId) || !isIdOrNull(teamId)) return null
  if (apiKeyId !== null && only !== null && 'keyId' in only && only.keyId !== apiKeyId) return null
  return {
    ...only,
    ...(apiKeyId === null ? {} : { keyId: apiKeyId }),
    ...(memberId === null ? {} : { memberId }),
    ...(teamId === null ? {} : { teamId }),
    ...(model === null ? {} : { model }),
    ...(app === null ? {} : { app }),
  }
}

function isIdOrNull(text: string | null): text is Uuid | null {
  return text === null || isUuid(text)
}

/**
 * Narrows a scope to the requests of one member; null if it has none of them. The member's user is needed because the
 * list has an index by user.
 */
export async function narrowToMember(
  subjects: Pick<UsageSubjects, 'readPeople'>,
  scope: GenerationScope,
  memberId: Uuid | null,
): Promise<GenerationScope | null> {
  if (memberId === null) return scope
  if (scope.only !== null) return 'memberId' in scope.only && scope.only.memberId === memberId ? scope : null
  const person = (await subjects.readPeople({ walletId: scope.walletId, memberIds: [memberId] })).get(memberId)
  return person === undefined ? null : { ...scope, only: { memberId }, userId: person.userId }
}

/**
 * The requests whose list and receipts a client may read. It is the usage scope, except that a billing role of an
 * organization sees the figures but not the requests of others.
 */
export async function openGenerationScope(memberships: Memberships, question: ScopeQuestion): Promise<GenerationScope> {
  const place = await openPlaceOf(memberships, question)
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
  const place = await openPlaceOf(memberships, question)
  if (place !== null && !watchesBill(place.role)) throw forbidden('watches no bill')
  const { client } = question
  return place?.walletId ?? (client.kind === 'session' ? client.person.walletId : client.principal.walletId)
}

/** The person's membership in the named organization and its wallet, or null if the query names none. */
async function openPlaceOf(memberships: Memberships, { client, organization }: ScopeQuestion): Promise<Place | null> {
  return organization === null ? null : openPlace(memberships, { client, organization })
}

function memberOf({ memberId }: Place): { memberId: Uuid } {
  return { memberId }
}

async function roleBehind(memberships: Memberships, principal: Principal): Promise<Role | null> {
  const { keyType, organizationId, userId } = principal
  if (keyType !== 'management' || organizationId === null || userId === null) return null
  return (await memberships.find({ organizationId, userId }))?.role ?? null
}
