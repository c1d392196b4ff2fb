import type { Actor, AuditStamp } from '#domain/audit/audit-entry.ts'
import type { ScimFilter } from '#domain/provisioning/scim-filter.ts'
import type { ScimProfile } from '#domain/provisioning/scim-profile.ts'
import type { GroupMapping } from '#domain/sign-on/connection.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { LockedOrganization } from './organizations.ts'

/** Tokens with which directories provision organizations. Changes write the audit log in their own transaction. */
export interface ScimTokens {
  /** Tokens that are not revoked, the newest first. */
  list(organizationId: Uuid): Promise<ScimToken[]>
  /** Finds a usable token by the hash of its secret, and notes that it was used. */
  findUsable(secretHash: string, nowMs: number): Promise<OpenScimToken | null>
  /** Null if the organization has the maximum number of tokens. */
  create(token: NewScimToken, stamp: AuditStamp): Promise<ScimToken | null>
  /** Adds the new token and lets the old one expire at the given time. Null if there is no usable one of this id. */
  rotate(rotation: ScimRotation, stamp: AuditStamp): Promise<ScimToken | null>
  /** Returns false if there is no such token. */
  revoke(which: { organizationId: Uuid; tokenId: Uuid }, stamp: AuditStamp): Promise<boolean>
}

export interface ScimToken {
  readonly id: Uuid
  readonly name: string
  readonly prefix: string
  readonly suffix: string
  readonly createdAtMs: number
  readonly expiresAtMs: number | null
  readonly lastUsedAtMs: number | null
}

export interface NewScimToken {
  readonly id: Uuid
  readonly organizationId: Uuid
  readonly name: string
  readonly secretHash: string
  readonly prefix: string
  readonly suffix: string
  readonly expiresAtMs: number | null
}

export interface ScimRotation {
  readonly organizationId: Uuid
  readonly tokenId: Uuid
  readonly successor: Pick<NewScimToken, 'id' | 'secretHash' | 'prefix' | 'suffix'>
  readonly nowMs: number
  /** The old token expires then, or earlier if it would have. */
  readonly oldExpiresAtMs: number
}

/** A token in use, with the organization that it acts for. */
export interface OpenScimToken {
  readonly id: Uuid
  readonly name: string
  readonly organizationId: Uuid
  readonly walletId: Uuid
}

/** People and groups of an organization, as its directory sees them. */
export interface Provisioning {
  listUsers(query: ScimQuery): Promise<ScimPage<ScimUser>>
  findUser(which: { organizationId: Uuid; memberId: Uuid }): Promise<ScimUser | null>
  listGroups(query: ScimQuery & { withMembers: boolean }): Promise<ScimPage<ScimGroup>>
  findGroup(which: { organizationId: Uuid; groupId: Uuid; withMembers: boolean }): Promise<ScimGroup | null>
  readOverview(organizationId: Uuid): Promise<ProvisioningOverview>
  /** Organizations with members who wait for their place, those that have waited longest first. */
  listUnplaced(atMost: number): Promise<readonly Uuid[]>
  /** Keeps the last refusals of an organization. */
  noteFailure(failure: { organizationId: Uuid } & Omit<ScimFailure, 'atMs'>): Promise<void>
  /** Like `change` of organizations: everything or nothing, under the organization's lock. */
  change<Result>(organizationId: Uuid, work: (locked: LockedProvisioning) => Promise<Result>): Promise<Result | null>
}

export interface ScimQuery {
  readonly organizationId: Uuid
  readonly filter: ScimFilter | null
  readonly offset: number
  readonly limit: number
}

export interface ScimPage<Entry> {
  readonly entries: readonly Entry[]
  readonly total: number
}

export interface ScimUser extends ScimProfile {
  readonly id: Uuid
  readonly userId: Uuid
  readonly groups: readonly { readonly id: Uuid; readonly displayName: string }[]
  readonly createdAtMs: number
  readonly updatedAtMs: number
}

export interface ScimGroup {
  readonly id: Uuid
  readonly displayName: string
  readonly externalId: string | null
  readonly members: readonly { readonly id: Uuid; readonly userName: string }[]
  readonly createdAtMs: number
  readonly updatedAtMs: number
}

export interface ProvisioningOverview {
  /** Members whom the directory knows, and how many of them are active. */
  readonly people: number
  readonly activePeople: number
  readonly groups: number
  readonly lastSyncAtMs: number | null
  /** The newest first. */
  readonly failures: readonly ScimFailure[]
}

export interface ScimFailure {
  readonly atMs: number
  /** Method and path. */
  readonly request: string
  readonly status: number
  readonly detail: string
}

/** A member whose team and role are to be decided, and who changed the member's groups. */
export interface Placement {
  readonly memberId: Uuid
  readonly actor: Actor
  readonly requestId: string | null
}

/** An organization whose people or groups are being provisioned. */
export interface LockedProvisioning extends LockedOrganization {
  /** The organization that has verified the domain, or null. */
  findOwner(domain: string): Promise<Uuid | null>
  findUser(memberId: Uuid): Promise<ScimUser | null>
  /** Null if the directory does not know the member. */
  findProvisioned(memberId: Uuid): Promise<ProvisionedMember | null>
  /** Whether another member has the user name, in any case, or the external id. */
  findTaken(query: Pick<ScimProfile, 'userName' | 'externalId'> & { exceptMemberId: Uuid | null }): Promise<TakenField>
  /** The account with this address, in any case. */
  findAccount(email: string): Promise<{ readonly userId: Uuid; readonly isVerified: boolean } | null>
  /** Creates an account with a verified address and a personal wallet, without a password. False if it is taken. */
  createAccount(account: NewAccount): Promise<boolean>
  /** Whether the account has one membership, as no administrator, and neither a way to sign in nor money of its own. */
  isManaged(userId: Uuid): Promise<boolean>
  /** Changes name and address of an account. False if another account has the address. */
  updateAccount(userId: Uuid, account: { readonly email: string; readonly name: string }): Promise<boolean>
  saveProfile(memberId: Uuid, profile: ScimProfile, createdAccount: boolean): Promise<void>
  savePlacement(memberId: Uuid, placedBy: string | null): Promise<void>
  /** Members whose groups have changed, until `takePlacements` returns them. */
  queuePlacements(placements: Pick<Placement, 'actor' | 'requestId'> & { memberIds: readonly Uuid[] }): Promise<void>
  takePlacements(atMost: number): Promise<readonly Placement[]>
  /** The names of the groups of a member. */
  listGroupNames(memberId: Uuid): Promise<readonly string[]>
  listMappings(): Promise<readonly GroupMapping[]>
  findGroup(groupId: Uuid): Promise<LockedGroup | null>
  findTakenGroup(query: GroupNames & { exceptGroupId: Uuid | null }): Promise<TakenField>
  countGroups(): Promise<number>
  insertGroup(group: GroupNames & { readonly id: Uuid }): Promise<void>
  updateGroup(group: GroupNames & { readonly id: Uuid }): Promise<void>
  deleteGroup(groupId: Uuid): Promise<void>
  /** The ids that are not members of the organization. */
  findUnknown(memberIds: readonly Uuid[]): Promise<readonly Uuid[]>
  listGroupMembers(groupId: Uuid): Promise<readonly Uuid[]>
  /** Returns the members who were not in the group. */
  addToGroup(groupId: Uuid, memberIds: readonly Uuid[]): Promise<readonly Uuid[]>
  /** Returns the members who were in the group. */
  removeFromGroup(groupId: Uuid, memberIds: readonly Uuid[]): Promise<readonly Uuid[]>
}

export type TakenField = 'userName' | 'externalId' | 'displayName' | null

export interface GroupNames {
  readonly displayName: string
  readonly externalId: string | null
}

export type LockedGroup = GroupNames & { readonly id: Uuid }

export interface ProvisionedMember {
  readonly createdAccount: boolean
  readonly placedBy: string | null
}

export interface NewAccount {
  readonly userId: Uuid
  readonly walletId: Uuid
  readonly email: string
  readonly name: string
}
