/** Plain offers come before the variants of the same host. */
export const selectOffers = `
  SELECT model_id, provider, variant, upstream_model,
         context_length::float8 AS context_length,
         max_completion_tokens::float8 AS max_completion_tokens,
         quantization
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
}
