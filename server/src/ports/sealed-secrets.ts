import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import type { Sealed } from '#lib/seal.ts'
import type { Uuid } from '#lib/uuid.ts'

/** Everything in the store that is sealed, wherever it is. */
export interface SealedSecrets {
  /** The places where secrets are kept, by the names of their tables. */
  readonly places: readonly string[]
  /**
   * Goes on behind `after` and hands over secrets that are under another key, a page at a time, kept from others meanwhile. What
   * the caller gives back replaces them in one transaction with the audit entry. Null: there are none left.
   */
  replacePage(
    page: { place: string; keyId: string; after: Uuid | null; limit: number },
    replace: (stale: readonly StaleSecret[]) => { replaced: readonly StaleSecret[]; entry: AuditEntry | null },
  ): Promise<{ last: Uuid } | null>
}

export interface StaleSecret {
  readonly id: Uuid
  readonly sealed: Sealed
  /** What it was sealed for. */
  readonly associated: string
}
