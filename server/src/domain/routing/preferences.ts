import type { PriceUnit } from '#domain/money/price-list.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { UnitPrice } from '#domain/money/unit-price.ts'

export const sortKeys = ['price', 'latency', 'throughput'] as const
export type SortBy = (typeof sortKeys)[number]

/** Milliseconds without a byte, or `auto` for the 95th percentile of the provider's latency. */
export type HedgeAfter = number | 'auto'

export const hedgeAfterMsMin = 50
export const hedgeAfterMsMax = 60_000

/**
 * A client's routing preferences: the `provider` object of a request, and its maximum cost. Providers are named by the
 * slug of their vendor.
 */
export interface Preferences {
  /** Tried first, in this order. */
  readonly order: readonly string[]
  /** Null means every provider. */
  readonly only: readonly string[] | null
  readonly ignore: readonly string[]
  readonly allowFallbacks: boolean
  readonly sort: SortBy | null
  /** Whether a better provider of a later model comes before a worse one of an earlier model. */
  readonly sortsAcrossModels: boolean
  readonly requireParameters: boolean
  readonly dataCollection: 'allow' | 'deny'
  readonly quantizations: readonly string[] | null
  /** The maximum price per unit. */
  readonly maxPrice: Readonly<Partial<Record<PriceUnit, UnitPrice>>> | null
  /** Missing if the client allows any. */
  readonly maxCost?: NanoUsd
  /** Missing if the client did not ask for a hedge. */
  readonly hedgeAfter?: HedgeAfter
}

export const noPreferences: Preferences = {
  order: [],
  only: null,
  ignore: [],
  allowFallbacks: true,
  sort: null,
  sortsAcrossModels: false,
  requireParameters: false,
  dataCollection: 'allow',
  quantizations: null,
  maxPrice: null,
}
