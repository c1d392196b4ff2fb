import { admitUnderLock } from '#control/organizations/admit-member.ts'
import { changeUnderLock } from '#control/organizations/change-member.ts'
import { removeUnderLock } from '#control/organizations/remove-member.ts'
import { readMember } from '#control/organizations/under-lock.ts'
import { claimsAddress } from '#control/sign-on/claims-address.ts'
import type { AuditEntry, AuditStamp } from '#domain/audit/audit-entry.ts'
import { type ScimProfile, shownName } from '#domain/provisioning/scim-profile.ts'
import { ScimRefusal } from '#domain/provisioning/scim-refusal.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { newUuid, type Uuid } from '#lib/uuid.ts'
import type { LockedProvisioning, ScimUser } from '#ports/provisioning.ts'
import { changeProvisioned, directoryGrant, type ProvisioningDeps, refuseLastAdmin } from './change-provisioned.ts'

/**
 * Makes a person a member. An existing account is linked only if its address is confirmed. A new account has no
 * password: the person signs in through the identity provider, or chooses a password by mail.
 */
export async function createScimUser(
  deps: ProvisioningDeps,
  { profile, stamp }: { profile: ScimProfile; stamp: AuditStamp },
  nowMs: number,
): Promise<ScimUser> {
  return changeProvisioned(deps, stamp, async (locked, entries) => {
    await assertClaimed(locked, profile.email)
    await assertFree(locked, profile, null)
    const { userId, isNew } = await findOrCreateAccount(locked, profile, nowMs)
    const input = { admission: { userId }, grant: directoryGrant, stamp, details: { createdAccount: isNew } }
    const { member, entry } = await admitUnderLock(locked, input, nowMs)
    entries.push(entry)
    await locked.saveProfile(member.id, profile, isNew)
    if (!profile.active) entries.push(...(await setActive(locked, { memberId: member.id, active: false, stamp })))
    return readUser(locked, member.id)
  })
}

/** Changes a person to what `decide` says: a PUT replaces everything, a PATCH a part. */
export async function changeScimUser(
  deps: ProvisioningDeps,
  { memberId, decide, stamp }: { memberId: Uuid; decide: (user: ScimUser) => ScimProfile; stamp: AuditStamp },
): Promise<ScimUser> {
  return changeProvisioned(deps, stamp, async (locked, entries) => {
    const user = await readUser(locked, memberId)
    const profile = decide(user)
    const fields = profileFields.filter((field) => profile[field] !== user[field])
    if (fields.length > 0) {
      if (profile.email !== user.email) await assertClaimed(locked, profile.email)
      await assertFree(locked, profile, memberId)
      await changeAccount(locked, user, profile)
      await locked.saveProfile(memberId, profile, false)
      const target = { kind: 'member', id: memberId }
      // The log is immutable and names no person, so it lists the changed fields without their values.
      entries.push({ ...stamp, action: 'scim.user.update', target, details: { fields } })
    }
    entries.push(...(await setActive(locked, { memberId, active: profile.active, stamp })))
    return readUser(locked, memberId)
  })
}

/** Ends the membership as its removal in the console does. The account and all history stay. */
export async function deleteScimUser(
  deps: ProvisioningDeps,
  { memberId, stamp }: { memberId: Uuid; stamp: AuditStamp },
): Promise<void> {
  await changeProvisioned(deps, stamp, async (locked, entries) => {
    const member = await locked.findMember({ memberId })
    if (member === null) throw missingUser()
    await refuseLastAdmin(locked, member)
    entries.push(await removeUnderLock(locked, { memberId, grant: directoryGrant, stamp }))
  })
}

const profileFields = [
  'userName',
  'externalId',
  'email',
  'displayName',
  'givenName',
  'familyName',
  'formatted',
] as const satisfies readonly (keyof ScimProfile)[]

async function assertClaimed(locked: LockedProvisioning, address: string): Promise<void> {
  if (await claimsAddress(locked, { organizationId: locked.organization.id, address })) return
  const domain = address.slice(address.indexOf('@') + 1)
  throw new ScimRefusal('invalidValue', `${domain} is not a verified domain of the organization. Verify it first.`)
}

async function assertFree(locked: LockedProvisioning, profile: ScimProfile, memberId: Uuid | null): Promise<void> {
  const { userName, externalId } = profile
  const taken = await locked.findTaken({ userName, externalId, exceptMemberId: memberId })
  if (taken !== null) throw new ScimRefusal('uniqueness', `Another user has this ${taken}.`)
}

async function findOrCreateAccount(
  locked: LockedProvisioning,
  profile: ScimProfile,
  nowMs: number,
): Promise<{ userId: Uuid; isNew: boolean }> {
  const account = await locked.findAccount(profile.email)
  if (account !== null) {
    // Anybody can sign up with a stranger's address, so an unconfirmed account may belong to another person.
    if (!account.isVerified) throw unconfirmed()
    if ((await locked.findMember({ userId: account.userId })) !== null) {
      throw new ScimRefusal('uniqueness', 'Another user has this address.')
    }
    return { userId: account.userId, isNew: false }
  }
  const userId = newUuid(nowMs)
  const name = shownName(profile, profile.email)
  if (!(await locked.createAccount({ userId, walletId: newUuid(nowMs), email: profile.email, name }))) {
    throw unconfirmed()
  }
  return { userId, isNew: true }
}

function unconfirmed(): ScimRefusal {
  const message = 'An account with this address exists, but the address is not confirmed. The person must confirm it.'
  return new ScimRefusal('uniqueness', message)
}

/**
 * Only accounts that provisioning created and that nothing else depends on follow the directory: a new address is a way
 * into the account. The address must be in a verified domain, whatever the directory stored before.
 */
async function changeAccount(locked: LockedProvisioning, user: ScimUser, profile: ScimProfile): Promise<void> {
  const known = await locked.findProvisioned(user.id)
  if (known?.createdAccount !== true || !(await locked.isManaged(user.userId))) return
  // The domain may have been deleted since the directory named the address.
  if (!(await claimsAddress(locked, { organizationId: locked.organization.id, address: profile.email }))) return
  const account = { email: profile.email, name: shownName(profile, profile.email) }
  if (!(await locked.updateAccount(user.userId, account))) {
    throw new ScimRefusal('uniqueness', 'Another account has this address.')
  }
}

async function setActive(
  locked: LockedProvisioning,
  { memberId, active, stamp }: { memberId: Uuid; active: boolean; stamp: AuditStamp },
): Promise<readonly AuditEntry[]> {
  const member = await readMember(locked, memberId)
  if (!active) await refuseLastAdmin(locked, member)
  const change = { suspended: !active }
  return (await changeUnderLock(locked, { memberId, change, grant: directoryGrant, stamp })).entries
}

async function readUser(locked: LockedProvisioning, memberId: Uuid): Promise<ScimUser> {
  const user = await locked.findUser(memberId)
  if (user === null) throw missingUser()
  return user
}

/** The same for an id of another organization as for one that does not exist. */
export function missingUser(): GatewayError {
  return new GatewayError('notFound', { message: 'User not found.' })
}
