import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import type { CatalogueRow } from '#domain/catalogue/catalogue-row.ts'
import type { Uuid } from '#lib/uuid.ts'

/** Stores the catalogue changes that wait for an operator. There is at most one proposal: a new one replaces it. */
export interface CatalogueProposals {
  find(): Promise<CatalogueProposal | null>
  put(proposal: CatalogueProposal): Promise<void>
  /** Removes a proposal once its changes are made. */
  remove(id: Uuid): Promise<void>
  /** Removes a proposal with an audit entry. Returns false if it is gone. */
  reject(id: Uuid, entry: AuditEntry, nowMs: number): Promise<boolean>
}

export interface CatalogueProposal {
  readonly id: Uuid
  readonly proposedAtMs: number
  readonly baseRevision: number
  readonly sources: readonly string[]
  /** The rows that approval imports. */
  readonly rows: readonly CatalogueRow[]
  readonly changes: readonly ProposedChange[]
  readonly disagreements: readonly Disagreement[]
  /** Offers of known providers that match no model of the catalogue. */
  readonly unmatched: number
  /** Models without a row are unlisted. Missing means that they stay as they are. */
  readonly replace?: true
}

/** One difference that approval would make. */
export interface ProposedChange {
  readonly model: string
  readonly what: 'model' | 'offer' | 'price' | 'purchase' | 'limit' | 'retirement' | 'field'
  /** The offer, price, limit or field that changes. */
  readonly where: string
  /** Null means nothing before, or nothing afterwards. */
  readonly from: string | null
  readonly to: string | null
  /** Why the change looks like a mistake of its source, or null if it does not. */
  readonly doubt: string | null
}

/** A value that sources state differently. The catalogue keeps its own value. */
export interface Disagreement {
  readonly model: string
  readonly provider: string
  readonly variant: string
  readonly what: 'price' | 'context length' | 'max output tokens' | 'retirement'
  readonly said: readonly { readonly source: string; readonly value: string }[]
}
