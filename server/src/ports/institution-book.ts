import type { AuditStamp } from '#domain/audit/audit-entry.ts'
import type { InstitutionTerms } from '#domain/institutions/institution-terms.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Uuid } from '#lib/uuid.ts'

/** An organization's institution keys and their sessions. Changes write the audit log in their own transaction. */
export interface InstitutionBook {
  list(organizationId: Uuid): Promise<InstitutionKey[]>
  /** Null: not of this organization, or deleted. */
  find(reference: InstitutionKeyReference): Promise<InstitutionKey | null>
  /** The organization's wallet pays. Null: it has as many keys as it may have. */
  create(key: NewInstitutionKey, stamp: AuditStamp): Promise<InstitutionKey | null>
  /** Gives the key as it is from now on; null: there is none. */
  update(
    reference: InstitutionKeyReference,
    change: (key: InstitutionKey) => InstitutionKeyChange,
    stamp: AuditStamp,
  ): Promise<InstitutionKey | null>
  /** Final; its sessions end with it. False: there is none. */
  delete(reference: InstitutionKeyReference, stamp: AuditStamp): Promise<boolean>
  /** The newest first, those that have ended included. */
  listSessions(query: SessionQuery): Promise<{ readonly sessions: InstitutionSession[]; readonly total: number }>
  /** Ends running sessions: one by its id, or all of an address. Gives the token hashes of those that ended; null: no such key. */
  revokeSessions(
    reference: InstitutionKeyReference,
    which: SessionChoice,
    stamp: AuditStamp,
  ): Promise<readonly string[] | null>
}

export type SessionChoice = { readonly sessionId: Uuid } | { readonly email: string }

export interface InstitutionKeyReference {
  readonly organizationId: Uuid
  readonly keyId: Uuid
}

export interface NewInstitutionKey {
  readonly id: Uuid
  readonly organizationId: Uuid
  readonly name: string
  readonly terms: InstitutionTerms
  readonly secretHash: string
  readonly prefix: string
  readonly suffix: string
}

export interface InstitutionKeyChange {
  readonly name: string
  readonly enabled: boolean
  readonly terms: InstitutionTerms
}

export interface InstitutionKey extends InstitutionKeyChange {
  readonly id: Uuid
  readonly prefix: string
  readonly suffix: string
  readonly createdAtMs: number
  readonly activeSessions: number
}

export interface SessionQuery extends InstitutionKeyReference {
  readonly email: string | null
  readonly activeOnly: boolean
  readonly limit: number
  readonly offset: number
}

export interface InstitutionSession {
  readonly id: Uuid
  readonly email: string
  readonly createdAtMs: number
  readonly expiresAtMs: number
  readonly revokedAtMs: number | null
  readonly requestQuota: number | null
  readonly tokenQuota: number | null
  readonly spendQuota: NanoUsd | null
  readonly requestsUsed: number
  readonly tokensUsed: number
}
