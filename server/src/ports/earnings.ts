import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { DayRange } from '#lib/utc-calendar.ts'
import type { Uuid } from '#lib/uuid.ts'

/** Sums over all customers: seconds behind, as the usage sums are. */
export interface EarningsReads {
  /** The groups with the highest charges first, at most `limit` of them, and the sum of all groups. */
  sum(query: EarningsQuery): Promise<{ readonly total: EarningsSums; readonly rows: readonly EarningsRow[] }>
}

export const earningsGroups = ['day', 'model', 'provider', 'customer'] as const
export type EarningsGroup = (typeof earningsGroups)[number]

export interface EarningsQuery {
  /** Whole days in UTC. */
  readonly range: DayRange
  readonly by: EarningsGroup
  readonly limit: number
}

export interface EarningsSums {
  readonly requests: number
  readonly charged: NanoUsd
  /** The part of the cost that could not be charged. It is included in the provider cost. */
  readonly absorbed: NanoUsd
  readonly providerCost: NanoUsd
}

export interface EarningsRow extends EarningsSums {
  /** The day, model, provider or wallet. Null for requests that no provider answered. */
  readonly key: string | null
  /** Of a customer. */
  readonly owner?: EarningsOwner
}

export interface EarningsOwner {
  readonly kind: 'user' | 'organization'
  readonly id: Uuid
  /** The organization's name or the user's email address. Null if the owner was deleted. */
  readonly name: string | null
}
