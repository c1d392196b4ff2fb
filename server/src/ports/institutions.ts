import type { AuditStamp } from '#domain/audit/audit-entry.ts'
import type { InstitutionTerms } from '#domain/institutions/institution-terms.ts'
import type { EntryKey } from '#domain/institutions/judge-code-request.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Uuid } from '#lib/uuid.ts'

/** An organization's institution keys and their sessions. Changes write the audit log in their own transaction. */
export interface InstitutionStore {
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
  /**
   * Ends running sessions: one by its id, or all of an address. Gives the token hashes of those that ended; null: no
   * such key.
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

/** How people come in with an institution's key: codes are asked for, guessed at, and exchanged for sessions. */
export interface CodeStore {
  /** Judges the pace of code requests and counts this one, over all processes. */
  admitRequest(request: CodeRequestDigests): Promise<PaceVerdict>
  /** By the SHA-256 of the whole secret in hexadecimal. Null: no such key, or it was deleted. */
  findKey(keyHash: string): Promise<CodeKey | null>
  /** Replaces the subject's code, if it had one. */
  putCode(code: NewCode): Promise<void>
  /** Counts an attempt before it is judged, so that parallel guesses cannot be more than the rules allow. */
  countAttempt(subject: Buffer): Promise<CountedAttempt>
  /** Takes the code away and begins a session, or neither. Null: it was taken before, or the key is no longer valid. */
  beginSession(session: NewSession): Promise<BegunSession | null>
}

/** What was submitted, not in clear. */
export interface CodeRequestDigests {
  readonly client: Buffer
  readonly keyHash: string
  /** The key and the address together. */
  readonly subject: Buffer
}

export type PaceVerdict =
  | { readonly admitted: true }
  | { readonly admitted: false; readonly reason: 'rate_limited' | 'cooldown'; readonly waitS: number }

export interface CodeKey extends EntryKey {
  readonly id: Uuid
  readonly organizationId: Uuid
  readonly organizationName: string
  readonly terms: InstitutionTerms
}

export interface NewCode {
  readonly subject: Buffer
  /** Null: a decoy, which no code opens. */
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
  readonly domain: string
  readonly tokenHash: string
}

export interface BegunSession {
  readonly expiresAtMs: number
  readonly organization: { readonly id: Uuid; readonly name: string }
  /** Older sessions that ended for this one, so that cached copies can be forgotten. */
  readonly endedTokenHashes: readonly string[]
}

/** What an institution's session may still do, counted by the store alone. */
export interface SessionQuotas {
  /** Takes one request of the quota, unless requests or tokens are used up. */
  takeRequest(sessionId: Uuid): Promise<QuotaVerdict>
}

export type QuotaVerdict =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly quota: 'requests' | 'tokens' }
