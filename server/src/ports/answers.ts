import type { Uuid } from '#lib/uuid.ts'

/** Stored answers of requests with an idempotency key, sealed, for 24 hours. */
export interface Answers {
  /** Records a request whose key is new, or finds the earlier request with it. */
  claim(request: AnswerClaim): Promise<ClaimedAnswer>
  /**
   * Hands the request of a dead gateway over to a new generation. Null if another gateway did so first, or if the dead
   * one was charged: then its answer is marked as settled.
   */
  takeOver(from: Uuid, request: AnswerClaim): Promise<WritableAnswer | null>
  /** Whether a video job is already stored for the request. If so, its answer is marked as settled. */
  concludeJob(id: Uuid): Promise<boolean>
  /** Null once the request has failed or was handed over. */
  find(id: Uuid): Promise<AnswerProgress | null>
  /** Stores one chunk. The row does not count it before `note`. */
  put(answer: WritableAnswer, position: number, bytes: Buffer): Promise<void>
  /** Null if the chunk is gone or can no longer be decrypted. */
  read(answer: AnswerProgress, position: number): Promise<Buffer | null>
  note(id: Uuid, progress: Pick<AnswerProgress, 'state' | 'chunks' | 'isKept'>): Promise<void>
  /** Renews the leases of requests, so that they do not count as abandoned. */
  renew(ids: readonly Uuid[]): Promise<void>
  /** Removes a request that was not answered, so that its key can be used again. */
  forget(id: Uuid): Promise<void>
}

export interface AnswerClaim {
  /** Of the generation that would answer it. */
  readonly id: Uuid
  readonly walletId: Uuid
  readonly userId: Uuid | null
  readonly scope: Buffer
  readonly fingerprint: Buffer
}

/** The answer of a generation, while its gateway writes it. */
export interface WritableAnswer {
  readonly id: Uuid
  readonly dataKey: Buffer
}

export type ClaimedAnswer =
  | { readonly kind: 'new'; readonly answer: WritableAnswer }
  | { readonly kind: 'known'; readonly id: Uuid; readonly isSameRequest: boolean }

export interface AnswerProgress {
  readonly id: Uuid
  readonly state: 'running' | 'written' | 'settled'
  /** False if the answer could not be stored. */
  readonly isKept: boolean
  readonly chunks: number
  /** Whether the gateway that writes it counts as dead. */
  readonly isAbandoned: boolean
  /** Null if no configured secret decrypts it. */
  readonly dataKey: Buffer | null
}
