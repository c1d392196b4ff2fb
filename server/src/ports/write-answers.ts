import type { Uuid } from '#lib/uuid.ts'

/** Answers to account requests with an idempotency key, sealed, for 24 hours. */
export interface WriteAnswers {
  /** Records a request whose key is new, or finds the earlier request with it. */
  claim(request: WriteClaim): Promise<ClaimedWrite>
  /** Null for an answer that is too long to be stored. */
  keep(scope: Buffer, status: number, answer: WriteAnswer | null): Promise<void>
  /** Removes a request that failed, so that its key can be used again. */
  forget(scope: Buffer): Promise<void>
}

export interface WriteClaim {
  readonly scope: Buffer
  readonly fingerprint: Buffer
  readonly userId: Uuid | null
}

export type ClaimedWrite =
  | { readonly kind: 'new' }
  | { readonly kind: 'mismatched' }
  | { readonly kind: 'running' }
  /** Its gateway died, so it may have taken effect. */
  | { readonly kind: 'abandoned' }
  | { readonly kind: 'not_stored' }
  | { readonly kind: 'answered'; readonly status: number; readonly answer: WriteAnswer }

export interface WriteAnswer {
  readonly headers: Readonly<Record<string, string>>
  /** Null for an answer without content. */
  readonly body: string | null
}
