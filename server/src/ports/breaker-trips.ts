import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Uuid } from '#lib/uuid.ts'

/** A call was refused by the spend breaker of a member, a team or an organization. */
export interface BreakerTrip {
  /** Of the window: a row of `domain/limits/scopes.ts`. */
  readonly kind: string
  readonly ownerId: Uuid
  readonly organizationId: Uuid
  readonly limit: NanoUsd
  readonly requestId: string | null
}

export interface BreakerTrips {
  /**
   * Leaves an entry in the organization's audit log, unless this scope and window left one within the hour in any process.
   * Says for how long there will be no further one.
   */
  note(trip: BreakerTrip): Promise<{ quietMs: number }>
}
