import type { PriceUnit } from '#domain/money/price-list.ts'
import type { JsonObject } from '#lib/json.ts'
import type { ModelKind, OutputModality, UpstreamApi } from './model.ts'

/** One model of an import file, validated, with all its providers and their prices. */
export interface CatalogueRow {
  readonly id: string
  readonly name: string
  readonly author: string
  readonly kind: ModelKind
  readonly description: string | null
  readonly contextLength: number | null
  readonly maxCompletionTokens: number | null
  readonly inputModalities: readonly string[]
  readonly outputModalities: readonly OutputModality[]
  readonly supportedParameters: readonly string[] | null
  readonly defaultProvider: string
  readonly upstreamModel: string | null
  readonly aliases: readonly string[]
  readonly releaseDate: IsoDate | null
  readonly retiresOn: IsoDate | null
  readonly listed: boolean
  readonly details: JsonObject
  readonly offers: readonly OfferRow[]
  readonly prices: readonly PriceRow[]
}

export interface OfferRow {
  readonly provider: string
  /** Region or service tier if a provider has several; empty for the plain one. */
  readonly variant: string
  readonly upstreamModel: string
  readonly contextLength: number | null
  readonly maxCompletionTokens: number | null
  readonly quantization: string | null
  /** The only API through which the provider sells it; null for the default one. */
  readonly api: UpstreamApi | null
  /** What the operator pays; missing if it is the list price. */
  readonly purchase?: StatedPrice
}

export interface PriceRow extends StatedPrice {
  readonly provider: string
  readonly variant: string
}

/** A price list as stored text: every amount is exact decimal USD for one unit. */
export interface StatedPrice {
  readonly units: StatedUnits
  /** Ascending; each is the complete list above its threshold. */
  readonly tiers: readonly StatedTier[]
  /** Prices of variants, such as a resolution; missing if there are none. */
  readonly rules?: readonly StatedRule[]
}

export type StatedUnits = Readonly<Partial<Record<PriceUnit, string>>>

export interface StatedTier {
  readonly abovePromptTokens: number
  readonly units: StatedUnits
}

export interface StatedRule {
  readonly unit: PriceUnit
  readonly usd: string
  readonly when: Readonly<Record<string, string>>
}

/** `YYYY-MM-DD`. */
export type IsoDate = string
