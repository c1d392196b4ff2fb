import type { Attempt } from '#domain/ledger/generation-record.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Uuid } from '#lib/uuid.ts'

/** What operators may know of any request. */
export interface RequestLookup {
  /** Null: nothing is stored under this id. */
  trace(id: Uuid): Promise<TracedRequest | null>
}

/** Where a request stands and whose it is. */
export interface TracedRequest {
  /** `running`: it has a hold. `lapsed`: its gateway died, and it cost nothing. */
  readonly state: 'settled' | 'running' | 'lapsed'
  readonly walletId: Uuid
  readonly key: { readonly id: Uuid; readonly name: string | null; readonly shown: string | null }
  readonly user: { readonly id: Uuid; readonly email: string | null } | null
  readonly organization: { readonly id: Uuid; readonly name: string | null } | null
  readonly team: { readonly id: Uuid; readonly name: string | null } | null
  readonly memberId: Uuid | null
  /** Of one that runs. */
  readonly hold: { readonly amount: NanoUsd; readonly leaseUntilMs: number } | null
  /** Of one that is a video. */
  readonly video: { readonly state: string; readonly attempts: readonly Attempt[] } | null
}
