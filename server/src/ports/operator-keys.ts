import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import type { Uuid } from '#lib/uuid.ts'

/** Keys of the people who run the service. Like any other key they are revoked through the key book. */
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
