import type { AuditStamp } from '#domain/audit/audit-entry.ts'
import type { Excerpt } from '#domain/moderation/excerpt.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { CustomerName } from './customers.ts'

/** Judges whether texts may be sent to a model at all. Rejects if it cannot judge. */
export interface Moderation {
  /** Synchronous if the verdict needs no waiting, because every request is reviewed. */
  review(request: ModerationRequest): ModerationVerdict | Promise<ModerationVerdict>
}

export interface ModerationRequest {
  readonly texts: readonly string[]
  /** The wallet of the request. A failure on one payer's texts may not affect others. */
  readonly payer: string
}

export type ModerationVerdict = { readonly allowed: true } | BlockedVerdict

export interface BlockedVerdict {
  readonly allowed: false
  readonly categories: readonly string[]
  readonly source: 'built-in' | 'upstream'
  /** Where it was found: which of the texts, and the position in it, if known. */
  readonly place: { readonly text: number; readonly start: number }
}

/** Stores blocked prompts for review by operators. */
export interface EvidenceStore {
  keep(evidence: Evidence): Promise<void>
  /** The newest first, without the text. */
  list(query: EvidenceQuery): Promise<NamedEvidence[]>
  /** With the text. The access is written to the audit log; otherwise the text is not shown. */
  open(id: Uuid, viewer: Omit<AuditStamp, 'chainId'>, nowMs: number): Promise<Evidence | null>
  /** Deletes expired evidence and returns how many. */
  purge(atMost: number): Promise<number>
}

export interface EvidenceListing {
  /** The generation id that the rejected request would have had. */
  readonly id: Uuid
  readonly atMs: number
  readonly expiresAtMs: number
  readonly keyId: Uuid
  readonly userId: Uuid | null
  readonly organizationId: Uuid | null
  /** Session of an institution. */
  readonly sessionId: Uuid | null
  readonly requestId: string | null
  readonly endpoint: string
  readonly model: string
  readonly source: BlockedVerdict['source']
  readonly categories: readonly string[]
}

/** With the key and the customer by name; null if they were deleted. */
export interface NamedEvidence extends EvidenceListing {
  readonly key: { readonly name: string; readonly shown: string } | null
  readonly customer: CustomerName | null
}

export interface Evidence extends EvidenceListing {
  readonly content: Excerpt
}

export interface EvidenceQuery {
  readonly keyId: Uuid | null
  /** Only evidence with smaller ids. Null to start with the newest. */
  readonly before: Uuid | null
  readonly limit: number
}
