import type { KeyType } from '#domain/access/principal.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { SpendPeriod } from '#domain/limits/spend-period.ts'
import type { Uuid } from '#lib/uuid.ts'

/** Makes and changes keys. Whoever changes one gets its hash, so that cached copies can be forgotten. */
export interface KeyBook {
  /** False: no such user, or the user has no wallet. */
  create(key: NewKey): Promise<boolean>
  list(userId: Uuid): Promise<KeyListing[]>
  /** Null: no such key, or it was revoked. */
  setEnabled(keyId: Uuid, enabled: boolean): Promise<ChangedKey | null>
  setAllowedCidrs(keyId: Uuid, cidrs: readonly string[]): Promise<ChangedKey | null>
  revoke(keyId: Uuid): Promise<ChangedKey | null>
}

export interface KeyTerms {
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
  userId: Uuid
  secretHash: string
  prefix: string
  suffix: string
}

export interface KeyListing extends KeyTerms {
  id: Uuid
  prefix: string
  suffix: string
  enabled: boolean
  revoked: boolean
  createdAtMs: number
  lastUsedAtMs: number | null
  spent: NanoUsd
  requests: number
}

export interface ChangedKey {
  secretHash: string
}
