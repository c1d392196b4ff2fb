import type { PriceUnit } from '#domain/money/price-list.ts'
import type { IsoDate } from './catalogue-row.ts'

/** What a change of the catalogue means to the customers of a model. It never contains what the operator pays. */
export interface AnnouncedModel {
  readonly id: string
  readonly name: string
  readonly prices: readonly ChangedPrice[]
  /** Null if the retirement date stays as it is. */
  readonly retirement: { readonly from: IsoDate | null; readonly to: IsoDate | null } | null
}

/** The price of one unit at one provider, before and after. */
export interface ChangedPrice {
  readonly provider: string
  /** Region or service tier; empty for the plain offer. */
  readonly variant: string
  readonly unit: PriceUnit
  /** The condition of the price, or empty for the plain price. */
  readonly when: string
  readonly isPerMillion: boolean
  /** Exact decimal USD; null if there was no price. */
  readonly from: string | null
  /** Exact decimal USD; null if there is no price any more. */
  readonly to: string | null
}

/** `change`: prices or dates have changed. `reminder`: models retire within days. */
export type AnnouncementKind = 'change' | 'reminder'
