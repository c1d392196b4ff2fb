import type { KeyChange, KeySettings } from '#domain/access/key-settings.ts'
import type { KeyType, Principal } from '#domain/access/principal.ts'
import type { AuditEntry, AuditStamp } from '#domain/audit/audit-entry.ts'
import type { LimitedWindow } from '#domain/limits/scopes.ts'
import type { SpendPeriod } from '#domain/limits/spend-period.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { PeriodUse } from './account-reads.ts'
import type { KeySort, Page, PageRequest } from './pages.ts'

/**
 * Makes, lists and changes keys; each change writes its audit entry in the same transaction. A change of a key returns
 * the hashes of its secrets, so that cached copies can be forgotten.
 */
export interface KeyStore {
  create(key: AccountKey, author: ChangeAuthor): Promise<'created' | 'no account' | 'full'>
  /** In place of the person's oldest playground keys, where there are too many; answers whose secrets have ended. */
  createPlayground(key: NewPlaygroundKey, author: ChangeAuthor): Promise<readonly ChangedKey[] | 'no account'>
  /** The newest first, without those of the playground. */
  list(query: KeyQuery): Promise<KeyRecord[]>
  listPage(query: KeyQuery, page: PageRequest<KeySort>): Promise<Page<KeyRecord>>
  /** No limit: a period was named for a key that has none. Missing: no such key, or it was revoked. */
  change(which: KeyReference, change: KeyChange, author: ChangeAuthor): Promise<ChangedKey | 'missing' | 'no limit'>
  /** Ends the former secret, where there is one, and makes the present one the former. */
  rotate(which: KeyReference, rotation: KeyRotation, author: ChangeAuthor): Promise<ChangedKey | 'missing'>
  revoke(which: KeyReference, author: ChangeAuthor): Promise<ChangedKey | 'missing'>
}

/** The new secret of a key. */
export interface KeyRotation {
  readonly secretHash: string
  readonly prefix: string
  readonly suffix: string
  /** Until when the secret that the key has now goes on working; null: it ends at once. */
  readonly formerUntilMs: number | null
}

/** Whose keys: a person's own, or those of an organization. */
export type KeyAccount =
  | { readonly kind: 'user'; readonly userId: Uuid }
  | { readonly kind: 'organization'; readonly organizationId: Uuid }

/** Where a new key belongs. One with a member is that person's; one with a team stops working with the team. */
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
  /** Null: whosever it is, which is for operators alone. */
  readonly account: KeyAccount | null
}

/** Who changes something, under which request, and when. */
export interface ChangeAuthor extends Pick<AuditStamp, 'actor' | 'requestId'> {
  readonly nowMs: number
}

/** Settings that are left out are those of every new key. */
export interface KeyTerms extends Partial<Omit<KeySettings, 'enabled'>> {
  name: string
  type: KeyType
  limit: NanoUsd | null
  /** Null: over the key's whole life. */
  period: SpendPeriod | null
  expiresAtMs: number | null
  allowedCidrs: readonly string[]
}

export interface NewKey extends KeyTerms {
  id: Uuid
  owner: KeyOwner
  /** Null: an operator. */
  createdBy: Uuid | null
  secretHash: string
  prefix: string
  suffix: string
  /** In no list, not to be changed, and not counted among the keys of the account. */
  playground?: true
}

export interface AccountKey extends NewKey {
  /** How many keys that are not revoked the account may have with this one. */
  accountMax: number
}

export interface NewPlaygroundKey extends NewKey {
  createdBy: Uuid
  playground: true
  /** How many playground keys the person may have with this one. */
  personMax: number
}

export interface KeyQuery {
  readonly account: KeyAccount
  readonly keyId?: Uuid
  /** Standard keys of this team and of its members. */
  readonly teamId?: Uuid
  /** Also those that were revoked, and those of the playground. */
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
  /** The key's own, not its member's. */
  teamId: Uuid | null
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
  /** Of the paying wallet. */
  balance: NanoUsd
  /** What the window of the key's cap has taken, held and spent; without a cap it says nothing. */
  capTaken: NanoUsd
}

export interface ChangedKey {
  /** Of its secret, and of the former one where it has been rotated. */
  secretHashes: readonly string[]
}

/** What limits the spend of a key, as of now. */
export interface KeyLimitReads {
  /** Null: no such key in the account, or it works no more. */
  findPrincipal(which: KeyReference): Promise<Principal | null>
  readTaken(walletId: Uuid, windows: readonly LimitedWindow[]): Promise<TakenLimits>
}

export interface TakenLimits {
  readonly wallet: { readonly balance: NanoUsd; readonly held: NanoUsd; readonly creditLine: NanoUsd }
  /** Held and spent in each window, in their order. */
  readonly taken: readonly NanoUsd[]
}

/** Finds who is behind a key, by the SHA-256 of the whole secret in hexadecimal. */
export interface Keys {
  findPrincipal(secretHash: string): Promise<Principal | null>
}

/** Keys of the people who run the service. Like any other key they are revoked through the key store. */
export interface OperatorKeys {
  create(key: NewOperatorKey, entry: AuditEntry): Promise<void>
  /** The newest first, those that were revoked included. */
  list(): Promise<OperatorKeyListing[]>
}

export interface NewOperatorKey {
  readonly id: Uuid
  readonly name: string
  readonly secretHash: string
  readonly prefix: string
  readonly suffix: string
  readonly expiresAtMs: number | null
  readonly allowedCidrs: readonly string[]
}

export interface OperatorKeyListing {
  readonly id: Uuid
  readonly name: string
  readonly prefix: string
  readonly suffix: string
  readonly enabled: boolean
  readonly revoked: boolean
  readonly expiresAtMs: number | null
  readonly createdAtMs: number
  readonly allowedCidrs: readonly string[]
}
