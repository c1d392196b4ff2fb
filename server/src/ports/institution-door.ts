import type { InstitutionTerms } from '#domain/institutions/institution-terms.ts'
import type { EntryKey } from '#domain/institutions/judge-code-request.ts'
import type { Uuid } from '#lib/uuid.ts'

/** How people come in with an institution's key: codes are asked for, guessed at, and exchanged for sessions. */
export interface InstitutionDoor {
  /** Judges the pace of code requests and counts this one, over all processes. */
  admitRequest(request: CodeRequestDigests): Promise<PaceVerdict>
  /** By the SHA-256 of the whole secret in hexadecimal. Null: no such key, or it was deleted. */
  findKey(keyHash: string): Promise<DoorKey | null>
  /** Replaces the subject's code, if it had one. */
  putCode(code: NewCode): Promise<void>
  /** Counts an attempt before it is judged, so that parallel guesses can not be more than the rules allow. */
  countAttempt(subject: Buffer): Promise<CountedAttempt>
  /** Takes the code away and begins a session, or neither. Null: it was taken before, or the key lets nobody in any more. */
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

export interface DoorKey extends EntryKey {
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
