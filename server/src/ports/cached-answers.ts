import type { Uuid } from '#lib/uuid.ts'

/** Kept answers, sealed. The wallet is part of every key, so no answer leaves it. */
export interface CachedAnswers {
  /** Null if no answer is kept or being fetched, or if the kept one is older. */
  find(key: CacheKey, maxAgeMs: number): Promise<CacheEntry | null>
  /** Lets one request call the upstream. Null if another request already does. */
  claim(key: CacheKey, claim: CacheClaim): Promise<CacheSlot | null>
  /** Null if the bytes are gone or can no longer be decrypted. */
  read(entry: CacheEntry): Promise<Buffer | null>
  /** Keeps an answer, and drops the oldest ones of the wallet beyond its limit. */
  fill(slot: CacheSlot, answer: FilledAnswer): Promise<void>
  /** The answer of this request may not be kept: identical requests do not wait for each other for a minute. */
  refuse(slot: CacheSlot): Promise<void>
  /** The request failed, or its answer is unreadable: the next request asks the upstream. */
  forget(slot: Pick<CacheSlot, 'key' | 'id'>): Promise<void>
  /** Renews the leases of requests, so that they do not count as abandoned. */
  renew(ids: readonly Uuid[]): Promise<void>
}

export interface CacheKey {
  readonly walletId: Uuid
  /** Hash of everything that can change the answer. */
  readonly digest: Buffer
}

export interface CacheClaim {
  /** Of the generation that asks the upstream. */
  readonly id: Uuid
  readonly userId: Uuid | null
  readonly maxAgeMs: number
}

/** An answer, while its gateway fetches it. */
export interface CacheSlot {
  readonly key: CacheKey
  readonly id: Uuid
  readonly dataKey: Buffer
}

export interface FilledAnswer {
  readonly bytes: Buffer
  readonly ttlMs: number
  /** Bytes that all answers of the wallet may have. */
  readonly walletBytesMax: number
}

export interface CacheEntry {
  readonly key: CacheKey
  readonly id: Uuid
  readonly state: 'filling' | 'complete' | 'unfit'
  /** Since the answer was kept. */
  readonly ageMs: number
  /** Until it expires. */
  readonly leftMs: number
  /** Null if no configured secret decrypts it. */
  readonly dataKey: Buffer | null
}
