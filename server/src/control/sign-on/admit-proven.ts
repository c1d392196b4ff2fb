import type { Grant } from '#domain/access/judge-access.ts'
import type { AuditEntry, AuditStamp } from '#domain/audit/audit-entry.ts'
import { changedValues } from '#domain/audit/changed-values.ts'
import { type Member, memberValues } from '#domain/organizations/member.ts'
import { placeMember } from '#domain/sign-on/place-member.ts'
import { personName, type ProvenIdentity } from '#domain/sign-on/proven-identity.ts'
import type { SignOnRefusal } from '#domain/sign-on/sign-on-refusal.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { newUuid, type Uuid } from '#lib/uuid.ts'
import type { LockedOrganization } from '#ports/organizations.ts'
import type { LinkedIdentity, OpenConnection, SignOnIdentities, SignOnStore } from '#ports/sign-on.ts'
import { admitUnderLock } from '../organizations/admit-member.ts'
import { changeWithin, type OrganizationDeps } from '../organizations/change-within.ts'
import { claimsAddress } from './claims-address.ts'

export interface AdmitDeps extends OrganizationDeps {
  readonly store: Pick<SignOnStore, 'findOwner' | 'listGroups'>
  readonly identities: SignOnIdentities
}

export type Admitted = { readonly userId: Uuid } | { readonly refused: SignOnRefusal }

/**
 * Turns a proven identity into an account with a membership. The identity is the subject at this connection. An address
 * only finds an existing account the first time, and only if the account has confirmed it and the organization has
 * verified its domain.
 */
export async function admitProven(
  deps: AdmitDeps,
  request: {
    opened: OpenConnection
    proven: ProvenIdentity
    /** Who was signed in when the sign-on began. */
    personId: Uuid | null
    requestId: string
    nowMs: number
  },
): Promise<Admitted> {
  const { proven, personId, nowMs } = request
  const { id: connectionId, organizationId, name } = request.opened.connection
  const { email, subject } = proven
  if (subject === '') return { refused: 'provider' }
  if (email === null || !(await claimsAddress(deps.store, { organizationId, address: email }))) {
    return { refused: 'address' }
  }
  const linked = await deps.identities.find({ connectionId, subject })
  // The domain of a linked account may belong to another organization by now.
  if (linked !== null && !(await claimsAddress(deps.store, { organizationId, address: linked.email }))) {
    return { refused: 'address' }
  }
  const account = linked ?? (await openAccount(deps.identities, { email, name: proven.name, personId, nowMs }))
  if ('refused' in account) return account
  const { userId } = account
  // The provider may give an address to another person. That person must not enter the account of the first.
  if (linked === null && (await deps.identities.isLinked({ connectionId, userId }))) return { refused: 'other_subject' }
  const actor = { kind: 'system', id: connectionId, name } as const
  const stamp: AuditStamp = { chainId: organizationId, actor, requestId: request.requestId }
  const placed = await place(deps, { stamp, userId, linked, proven, nowMs })
  if ('refused' in placed) return placed
  const identity = { connectionId, organizationId, subject, userId, placedBy: placed.placedBy }
  return (await deps.identities.save(identity)) ? { userId } : { refused: 'other_subject' }
}

/**
 * The account of an address, or a new one without a password. An account with a second factor is linked only if its
 * owner was signed in when the sign-on began: an organization that controls the domain must not get past the factor.
 */
async function openAccount(
  identities: SignOnIdentities,
  { email, name, personId, nowMs }: { email: string; name: string | null; personId: Uuid | null; nowMs: number },
): Promise<Admitted> {
  const userId = newUuid(nowMs)
  const account = { userId, walletId: newUuid(nowMs), email: email.toLowerCase(), name: personName({ name, email }) }
  if ((await identities.findAccount(email)) === null && (await identities.createAccount(account))) return { userId }
  const known = await identities.findAccount(email)
  if (known?.isVerified !== true) return { refused: 'unconfirmed' }
  return known.hasSecondFactor && known.userId !== personId ? { refused: 'second_factor' } : { userId: known.userId }
}

type Placed = { readonly placedBy: string | null } | { readonly refused: SignOnRefusal }

interface PlaceRequest {
  readonly stamp: AuditStamp
  readonly userId: Uuid
  readonly linked: LinkedIdentity | null
  readonly proven: ProvenIdentity
  readonly nowMs: number
}

/** Makes the person a member, or changes the member's role and team, by the groups of the identity. */
async function place(deps: AdmitDeps, request: PlaceRequest): Promise<Placed> {
  const { stamp, userId, linked, proven } = request
  const mappings = await deps.store.listGroups(stamp.chainId)
  const placedBy = linked?.placedBy ?? null
  const link: AuditEntry[] =
    linked === null ? [{ ...stamp, action: 'sign_on.identity.link', target: { kind: 'user', id: userId } }] : []
  try {
    return await changeWithin<Placed>(deps, stamp, async (locked) => {
      const member = await locked.findMember({ userId })
      if (member?.suspended === true) return { result: { refused: 'suspended' }, entries: [] }
      const placement = placeMember({ groups: proven.groups, mappings, role: member?.role ?? null, placedBy })
      const entries =
        member === null
          ? await admit(locked, request, placement.place)
          : await move(locked, stamp, member, { ...member, ...placement.place })
      return { result: { placedBy: placement.placedBy }, entries: [...entries, ...link] }
    })
  } catch (error) {
    // No seat is free, or the group's team has just been deleted.
    if (error instanceof GatewayError && error.errorName === 'conflict') return { refused: 'seats' }
    throw error
  }
}

async function admit(
  locked: LockedOrganization,
  { stamp, userId, nowMs }: PlaceRequest,
  place: { role: Member['role']; teamId: Uuid | null } | null,
): Promise<AuditEntry[]> {
  const admission = place === null ? { userId } : { userId, ...place }
  const { entry } = await admitUnderLock(locked, { admission, grant: wholeOrganization, stamp }, nowMs)
  return [entry]
}

/** A member who leaves a team loses their keys for that team. */
async function move(
  locked: LockedOrganization,
  stamp: AuditStamp,
  before: Member,
  after: Member,
): Promise<AuditEntry[]> {
  const changed = changedValues(memberValues(before), memberValues(after))
  if (changed === null) return []
  await locked.updateMember(after)
  const leaves = before.teamId !== null && before.teamId !== after.teamId
  const revokedKeyIds = leaves ? await locked.revokeKeys({ memberId: before.id, teamId: before.teamId }) : []
  const details = revokedKeyIds.length === 0 ? null : { revokedKeyIds }
  const target = { kind: 'member', id: before.id }
  return [{ ...stamp, action: 'org_member.update', target, ...changed, details }]
}

/** The organization chose its identity provider, which acts for all of it. */
const wholeOrganization: Grant = { reach: 'organization' }
