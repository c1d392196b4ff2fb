import type { KeyAccount } from '#domain/access/key-account.ts'
import type { KeyChange, KeySettings } from '#domain/access/key-settings.ts'
import type { OperatorRole } from '#domain/access/operator-roles.ts'
import type { KeyType, Principal } from '#domain/access/principal.ts'
import type { AuditEntry, AuditStamp } from '#domain/audit/audit-entry.ts'
import type { TakenLimits } from '#domain/limits/effective-limit.ts'
import type { LimitedWindow } from '#domain/limits/scopes.ts'
import type { SpendPeriod } from '#domain/limits/spend-period.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { PeriodUse } from './account-reads.ts'
import type { KeySort, Page, PageRequest } from './pages.ts'

/**
 * Creates, lists and changes keys. Each change writes its audit entry in the same transaction. A change of a key
 * returns the hashes of its secrets, so that cached copies can be dropped.
 */
export interface KeyStore {
  create(key: AccountKey, author: ChangeAuthor): Promise<'created' | 'no account' | 'full' | 'member full'>
  /** Replaces the person's oldest playground keys if there are too many, and returns the ended secrets. */
  createPlayground(key: NewPlaygroundKey, author: ChangeAuthor): Promise<readonly ChangedKey[] | 'no account'>
  /** The newest first, without playground keys. */
  list(query: KeyQuery): Promise<KeyRecord[]>
  listPage(query: KeyQuery, page: PageRequest<KeySort>): Promise<Page<KeyRecord>>
  count(query: KeyQuery): Promise<number>
  /** `no limit`: a period was given for a key without a limit. `missing`: there is no such key, or it was revoked. */
  change(which: KeyReference, change: KeyChange, author: ChangeAuthor): Promise<ChangedKey | 'missing' | 'no limit'>
  /** Ends the former secret, if there is one, and makes the current one the former. */
  rotate(which: KeyReference, rotation: KeyRotation, author: ChangeAuthor): Promise<ChangedKey | 'missing'>
  revoke(which: KeyReference, author: ChangeAuthor): Promise<ChangedKey | 'missing'>
}

/** The new secret of a key. */
export interface KeyRotation {
  readonly secretHash: string
  readonly prefix: string
  readonly suffix: string
  /** Until when the current secret keeps working. Null: it ends immediately. */
  readonly formerUntilMs: number | null
}

/** A member's own keys in an organization, which pays for them. */
export interface MemberAccount {
  readonly kind: 'member'
  readonly organizationId: Uuid
  readonly memberId: Uuid
  readonly userId: Uuid
}

/** Whose keys are read or changed. */
export type KeyHolder = KeyAccount | MemberAccount

/**
 * The owner of a new key. A key with a member belongs to that person; a key with a team stops working with the team.
 */
export type KeyOwner =
  | { readonly kind: 'user'; readonly userId: Uuid }
  | {
      readonly kind: 'organization'
      readonly organizationId: Uuid
      readonly userId: Uuid | null
      readonly memberId: Uuid | null
      readonly teamId: Uuid | null
    }

export interface KeyReference {
  readonly keyId: Uuid
  /** Null for any owner, only for operators. */
  readonly account: KeyHolder | null
}

/** The actor, the request and the time of a change. */
export interface ChangeAuthor extends Pick<AuditStamp, 'actor' | 'requestId'> {
  readonly nowMs: number
}

/** Settings that are left out get the defaults of a new key. */
export interface KeyTerms extends Partial<Omit<KeySettings, 'enabled'>> {
  name: string
  type: KeyType
  limit: NanoUsd | null
  /** Null for the key's whole lifetime. */
  period: SpendPeriod | null
  expiresAtMs: number | null
  allowedCidrs: readonly string[]
}

export interface NewKey extends KeyTerms {
  id: Uuid
  owner: KeyOwner
  /** Null if an operator created it. */
  createdBy: Uuid | null
  secretHash: string
  prefix: string
  suffix: string
  /** Not listed, not changeable, and not counted among the account's keys. */
  playground?: true
}

export interface AccountKey extends NewKey {
  /** Maximum number of unrevoked keys of the account, including this one. */
  accountMax: number
  /** Maximum number of unrevoked keys of the member, including this one. Absent if an administrator creates the key. */
  memberMax?: number
}

export interface NewPlaygroundKey extends NewKey {
  createdBy: Uuid
  playground: true
  /** Maximum number of playground keys of the person, including this one. */
  personMax: number
}

export interface KeyQuery {
  readonly account: KeyHolder
  readonly keyId?: Uuid
  /** Standard keys of this team and of its members. */
  readonly teamId?: Uuid
  readonly memberId?: Uuid
  /** Only keys without a member and a team. */
  readonly sharedOnly?: true
  /** Includes revoked keys and playground keys. */
  readonly withRevoked?: true
  readonly nowMs: number
}

export interface KeyRecord extends KeySettings {
  id: Uuid
  name: string
  type: KeyType
  expiresAtMs: number | null
  userId: Uuid | null
  organizationId: Uuid | null
  memberId: Uuid | null
  /** The person behind the membership. */
  member: { id: Uuid; name: string; email: string } | null
  /** The key's own team, not its member's. */
  teamId: Uuid | null
  /** The team that the key's usage counts for: its own, or else its member's. */
  team: { id: Uuid; name: string } | null
  createdBy: Uuid | null
  prefix: string
  suffix: string
  revoked: boolean
  createdAtMs: number
  updatedAtMs: number
  lastUsedAtMs: number | null
  total: PeriodUse
  day: PeriodUse
  week: PeriodUse
  month: PeriodUse
  tokens: number
  /** Balance of the paying wallet. */
  balance: NanoUsd
  /** Held and spent in the window of the key's cap. Meaningless without a cap. */
  capTaken: NanoUsd
}

export interface ChangedKey {
  /** Hash of the current secret, and of the former secret if the key was rotated. */
  secretHashes: readonly string[]
}

/** The current limits on a key's spend. */
export interface KeyLimitReads {
  /** Null if the account has no such key or it no longer works. */
  findPrincipal(which: KeyReference): Promise<Principal | null>
  readTaken(walletId: Uuid, windows: readonly LimitedWindow[]): Promise<TakenLimits>
}

/** Finds the principal of a key, by the SHA-256 of the whole secret in hexadecimal. */
export interface Keys {
  findPrincipal(secretHash: string): Promise<Principal | null>
}

/** Keys of operators. Like any other key they are revoked through the key store. */
export interface OperatorKeys {
  create(key: NewOperatorKey, entry: AuditEntry): Promise<void>
  /** The newest first, including revoked keys. */
  list(): Promise<OperatorKeyListing[]>
}

export interface NewOperatorKey {
  readonly id: Uuid
  readonly name: string
  readonly role: OperatorRole
  readonly secretHash: string
  readonly prefix: string
  readonly suffix: string
  readonly expiresAtMs: number | null
  readonly allowedCidrs: readonly string[]
}

export interface OperatorKeyListing {
  readonly id: Uuid
  readonly name: string
  readonly role: OperatorRole
  readonly prefix: string
  readonly suffix: string
  readonly enabled: boolean
  readonly revoked: boolean
  readonly expiresAtMs: number | null
  readonly createdAtMs: number
  readonly allowedCidrs: readonly string[]
}
