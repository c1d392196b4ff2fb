import type { AuditStamp } from '#domain/audit/audit-entry.ts'
import type { Excerpt } from '#domain/moderation/excerpt.ts'
import type { Uuid } from '#lib/uuid.ts'

/** Judges whether texts may be sent to a model at all. Rejects where it cannot tell. */
export interface Moderation {
  /** An answer that needs no waiting comes at once, because every request asks. */
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
  /** Where it shows: which of the texts, and where in it, as far as that is known. */
  readonly place: { readonly text: number; readonly start: number }
}

/** Keeps what moderation has blocked, so that operators can judge it. */
export interface EvidenceStore {
  keep(evidence: Evidence): Promise<void>
  /** The newest first, without the text. */
  list(query: EvidenceQuery): Promise<EvidenceListing[]>
  /** With the text. The look is written to the audit log, or the text is not shown. */
  open(id: Uuid, viewer: Omit<AuditStamp, 'chainId'>, nowMs: number): Promise<Evidence | null>
  /** Deletes what has expired; gives how many. */
  purge(atMost: number): Promise<number>
}

export interface EvidenceListing {
  /** The id of the generation that was not made. */
  readonly id: Uuid
  readonly atMs: number
  readonly expiresAtMs: number
  readonly keyId: Uuid
  readonly userId: Uuid | null
  readonly organizationId: Uuid | null
  /** Of an institution. */
  readonly sessionId: Uuid | null
  readonly requestId: string | null
  readonly endpoint: string
  readonly model: string
  readonly source: BlockedVerdict['source']
  readonly categories: readonly string[]
}

export interface Evidence extends EvidenceListing {
  readonly content: Excerpt
}

export interface EvidenceQuery {
  readonly keyId: Uuid | null
  readonly limit: number
}
