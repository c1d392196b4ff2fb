import type { StatedPrice, StatedRule, StatedTier, StatedUnits } from '#domain/catalogue/catalogue-row.ts'
import type { ModelKind, OutputModality, UpstreamApi } from '#domain/catalogue/model.ts'
import type { JsonObject } from '#lib/json.ts'

/** Counts and times are floats, because the driver would return 64-bit integers as strings. */
export const selectModels = `
  SELECT id, name, author, kind, description,
         context_length::float8 AS context_length,
         max_completion_tokens::float8 AS max_completion_tokens,
         input_modalities, output_modalities, supported_parameters, default_provider, upstream_model, aliases,
         (extract(epoch FROM release_date) * 1000)::float8 AS released_at_ms,
         (extract(epoch FROM retires_on) * 1000)::float8 AS retires_at_ms,
         listed, details
    FROM models
   ORDER BY id`

export interface SelectedModel {
  id: string
  name: string
  author: string
  kind: ModelKind
  description: string | null
  context_length: number | null
  max_completion_tokens: number | null
  input_modalities: string[]
  output_modalities: OutputModality[]
  supported_parameters: string[] | null
  default_provider: string | null
  upstream_model: string | null
  aliases: string[]
  released_at_ms: number | null
  retires_at_ms: number | null
  listed: boolean
  details: JsonObject
}

/** Plain offers come before variants of the same provider. */
export const selectOffers = `
  SELECT model_id, provider, variant, upstream_model,
         context_length::float8 AS context_length,
         max_completion_tokens::float8 AS max_completion_tokens,
         quantization, api, purchase
    FROM offers
   WHERE active
   ORDER BY model_id, provider, variant`

export interface SelectedOffer {
  model_id: string
  provider: string
  variant: string
  upstream_model: string
  context_length: number | null
  max_completion_tokens: number | null
  quantization: string | null
  api: UpstreamApi | null
  purchase: StatedPrice | null
}

/** The newest version of every price. A version without units and rules means that the price was withdrawn. */
export const selectCurrentPrices = `
  SELECT DISTINCT ON (model_id, provider, variant) id, model_id, provider, variant, units, tiers, rules
    FROM prices
   ORDER BY model_id, provider, variant, valid_from DESC`

export interface SelectedPrice {
  id: string
  model_id: string
  provider: string
  variant: string
  units: StatedUnits
  tiers: StatedTier[]
  rules: StatedRule[]
}

/** $1: the model. */
export const selectPriceVersions = `
  SELECT provider, variant, units, tiers, rules, (extract(epoch FROM valid_from) * 1000)::float8 AS valid_from_ms
    FROM prices
   WHERE model_id = $1
   ORDER BY provider, variant, valid_from DESC
   LIMIT 10000`

export interface SelectedVersion extends Pick<SelectedPrice, 'provider' | 'variant' | 'units' | 'tiers' | 'rules'> {
  valid_from_ms: number
}
