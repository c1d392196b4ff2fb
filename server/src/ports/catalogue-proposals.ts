import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import type { CatalogueRow } from '#domain/catalogue/catalogue-row.ts'
import type { Uuid } from '#lib/uuid.ts'

/**
 * Keeps the changes of the catalogue that wait for an operator. There is one proposal at most: a new one replaces it.
 */
export interface CatalogueProposals {
  find(): Promise<CatalogueProposal | null>
  put(proposal: CatalogueProposal): Promise<void>
  /** Removes it once its changes are made. */
  remove(id: Uuid): Promise<void>
  /** Removes it with an entry of the audit log; false where it is gone. */
  reject(id: Uuid, entry: AuditEntry, nowMs: number): Promise<boolean>
}

export interface CatalogueProposal {
  readonly id: Uuid
  readonly proposedAtMs: number
  readonly baseRevision: number
  readonly sources: readonly string[]
  /** What approval imports. */
  readonly rows: readonly CatalogueRow[]
  readonly changes: readonly ProposedChange[]
  readonly disagreements: readonly Disagreement[]
  /** Offers of known providers that belong to no model of the catalogue, as far as anything tells. */
  readonly unmatched: number
}

/** One difference that approval would make. */
export interface ProposedChange {
  readonly model: string
  readonly what: 'model' | 'offer' | 'price' | 'limit' | 'retirement' | 'field'
  /** Which offer, price, limit or field it is. */
  readonly where: string
  /** Null is: nothing so far, or nothing any more. */
  readonly from: string | null
  readonly to: string | null
  /** Why it looks like a mistake of its source; null where it does not. */
  readonly doubt: string | null
}

/** Something that sources say differently. The catalogue keeps what it has. */
export interface Disagreement {
  readonly model: string
  readonly provider: string
  readonly variant: string
  readonly what: 'price' | 'context length' | 'max output tokens' | 'retirement'
  readonly said: readonly { readonly source: string; readonly value: string }[]
}
