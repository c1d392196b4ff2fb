import type { UsageClasses } from '#domain/inference/usage.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Uuid } from '#lib/uuid.ts'

/** Settled requests of all customers, by model and provider. */
export interface OfferUseReads {
  /** Only these models, and only requests for text that were charged. */
  sum(query: { readonly models: readonly string[]; readonly fromMs: number }): Promise<readonly OfferUse[]>
  /** The customers of these offers, with the highest charges first. */
  listCustomers(query: {
    readonly offers: readonly Pick<OfferUse, 'model' | 'provider'>[]
    readonly fromMs: number
    readonly limit: number
  }): Promise<readonly OfferCustomer[]>
}

export interface OfferCustomer extends Pick<OfferUse, 'requests' | 'charged'> {
  readonly walletId: Uuid
  readonly models: readonly string[]
}

export interface OfferUse {
  readonly model: string
  readonly provider: string
  readonly requests: number
  readonly customers: number
  readonly charged: NanoUsd
  /** The sums over all requests. */
  readonly usage: UsageClasses
}
