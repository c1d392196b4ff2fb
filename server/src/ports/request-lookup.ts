import type { Attempt } from '#domain/ledger/generation-record.ts'
import type { Refusal } from '#domain/ledger/refusal.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Uuid } from '#lib/uuid.ts'

/** The data of any request that operators can see. */
export interface RequestLookup {
  /** Null if nothing is stored under this id. */
  trace(id: Uuid): Promise<TracedRequest | null>
}

/** The state of a request and its owner. */
export interface TracedRequest {
  /**
   * `running`: the request has a hold. `lapsed`: its gateway died, and it cost nothing. `refused`: it was refused
   * before a hold was placed.
   */
  readonly state: 'settled' | 'running' | 'lapsed' | 'refused'
  readonly walletId: Uuid
  readonly key: { readonly id: Uuid; readonly name: string | null; readonly shown: string | null }
  readonly user: { readonly id: Uuid; readonly email: string | null } | null
  readonly organization: { readonly id: Uuid; readonly name: string | null } | null
  readonly team: { readonly id: Uuid; readonly name: string | null } | null
  readonly memberId: Uuid | null
  /** Only for a running request. */
  readonly hold: { readonly amount: NanoUsd; readonly leaseUntilMs: number } | null
  /** Only for a refused request. */
  readonly refusal: Pick<Refusal, 'endpoint' | 'error' | 'status' | 'boundBy' | 'model'> | null
  /** Only for a video. */
  readonly video: { readonly state: string; readonly attempts: readonly Attempt[] } | null
}
