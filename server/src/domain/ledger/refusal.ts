import type { Uuid } from '#lib/uuid.ts'

/** An inference request that was refused before a hold was placed. It cost nothing, and nothing it said is kept. */
export interface Refusal {
  /** Also the id of the request, and its time. */
  readonly id: Uuid
  readonly keyId: Uuid
  readonly walletId: Uuid
  readonly userId: Uuid | null
  readonly organizationId: Uuid | null
  readonly memberId: Uuid | null
  readonly teamId: Uuid | null
  readonly endpoint: string
  /** The name of the error. A record may be read by a version that no longer has the error. */
  readonly error: string
  readonly status: number
  /** The limit that bound the request, if it was one among several. */
  readonly boundBy: string | null
  /** The model that was asked for. */
  readonly model: string | null
}

/** How often one key was refused with one error in one hour. */
export interface RefusalCount {
  readonly hourMs: number
  readonly walletId: Uuid
  readonly keyId: Uuid
  readonly error: string
  readonly count: number
}

/** Stands for the wallet and the key of refusals that are only counted by error. */
export const uncountedKey: Uuid = '00000000-0000-0000-0000-000000000000'
