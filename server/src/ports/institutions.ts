import type { AuditStamp } from '#domain/audit/audit-entry.ts'
import type { InstitutionTerms } from '#domain/institutions/institution-terms.ts'
import type { EntryKey } from '#domain/institutions/judge-code-request.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Uuid } from '#lib/uuid.ts'

/** An organization's institution keys and their sessions. Changes write the audit log in their own transaction. */
export interface InstitutionStore {
  list(organizationId: Uuid): Promise<InstitutionKey[]>
  /** Null if it belongs to another organization or was deleted. */
  find(reference: InstitutionKeyReference): Promise<InstitutionKey | null>
  /** The organization's wallet pays. Null if the organization has the maximum number of keys. */
  create(key: NewInstitutionKey, stamp: AuditStamp): Promise<InstitutionKey | null>
  /** Returns the changed key, or null if there is none. */
  update(
    reference: InstitutionKeyReference,
    change: (key: InstitutionKey) => InstitutionKeyChange,
    stamp: AuditStamp,
  ): Promise<InstitutionKey | null>
  /** Deletes a key permanently, and ends its sessions. Returns false if there is no such key. */
  delete(reference: InstitutionKeyReference, stamp: AuditStamp): Promise<boolean>
  /** The newest first, including ended sessions. */
  listSessions(query: SessionQuery): Promise<{ readonly sessions: InstitutionSession[]; readonly total: number }>
  /**
   * Ends active sessions: one by its id, or all of an address. Returns the token hashes of those that ended, or null if
   * there is no such key.
   */
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
  /** For the spend of the current month. */
  readonly nowMs: number
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
  /** The person's quota and settled spend of the month, over all sessions. */
  readonly personMonthQuota: NanoUsd | null
  readonly personMonthSpent: NanoUsd
  readonly requestsUsed: number
  readonly tokensUsed: number
}

/** Sign-in with an institution's key: codes are requested, guessed, and exchanged for sessions. */
export interface CodeStore {
  /** Judges the rate of code requests and counts this one, over all processes. */
  admitRequest(request: CodeRequestDigests): Promise<PaceVerdict>
  /**
   * Finds a key by the SHA-256 of the whole secret in hexadecimal, for a person with the address. Null if there is no
   * such key or it was deleted.
   */
  findKey(query: { readonly keyHash: string; readonly address: string }): Promise<CodeKey | null>
  /**
   * Counts a guess as wrong, over all processes, unless the network or the key has made too many. The id takes a
   * correct guess back.
   */
  admitAttempt(request: Omit<CodeRequestDigests, 'subject'>): Promise<AttemptVerdict>
  forgiveAttempt(attemptId: string): Promise<void>
  /** Replaces the subject's code, if there is one. */
  putCode(code: NewCode): Promise<void>
  /** Counts an attempt before it is judged, so that parallel guesses cannot exceed the limit. */
  countAttempt(subject: Buffer): Promise<CountedAttempt>
  /**
   * Deletes the code and starts a session, or neither. Null if the code was already used, the key is no longer valid or
   * the person is a suspended member of the organization.
   */
  beginSession(session: NewSession): Promise<BegunSession | null>
}

/** Digests of the submitted values. */
export interface CodeRequestDigests {
  readonly client: Buffer
  readonly keyHash: string
  /** The key and the address together. */
  readonly subject: Buffer
}

export type PaceVerdict =
  | { readonly admitted: true }
  | { readonly admitted: false; readonly reason: 'rate_limited' | 'cooldown'; readonly waitS: number }

export type AttemptVerdict =
  | { readonly admitted: true; readonly attemptId: string }
  | { readonly admitted: false; readonly waitS: number }

export interface CodeKey extends EntryKey {
  readonly id: Uuid
  readonly organizationId: Uuid
  readonly organizationName: string
  readonly terms: InstitutionTerms
}

export interface NewCode {
  readonly subject: Buffer
  /** Null for a decoy, which no code opens. */
  readonly keyId: Uuid | null
  readonly codeHmac: Buffer
  readonly ttlS: number
}

export type CountedAttempt =
  | { readonly kind: 'none' }
  | { readonly kind: 'used_up' }
  | { readonly kind: 'counted'; readonly codeHmac: Buffer; readonly isLive: boolean; readonly isLast: boolean }

export interface NewSession {
  readonly id: Uuid
  readonly subject: Buffer
  readonly codeHmac: Buffer
  readonly email: string
  readonly personId: Uuid
  readonly domain: string
  readonly tokenHash: string
}

export interface BegunSession {
  readonly expiresAtMs: number
  readonly organization: { readonly id: Uuid; readonly name: string }
  /** Older sessions that ended for this one, so that cached copies can be dropped. */
  readonly endedTokenHashes: readonly string[]
}

/** The remaining quota of an institution's session, counted only by the store. */
export interface SessionQuotas {
  /** Takes one request from the quota, unless requests or tokens are used up. */
  takeRequest(sessionId: Uuid): Promise<QuotaVerdict>
}

export type QuotaVerdict =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly quota: 'requests' | 'tokens' }
