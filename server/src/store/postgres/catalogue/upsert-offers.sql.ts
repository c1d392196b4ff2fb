/** $1: the offers as one JSON list. */
export const upsertOffers = `
  INSERT INTO offers AS stored
         (model_id, provider, variant, upstream_model, context_length, max_completion_tokens, quantization, active)
  SELECT "modelId", provider, variant, "upstreamModel", "contextLength", "maxCompletionTokens", quantization, true
    FROM json_to_recordset($1::json) AS stated
         ("modelId" text, provider text, variant text, "upstreamModel" text, "contextLength" bigint,
          "maxCompletionTokens" bigint, quantization text)
   ORDER BY "modelId", provider, variant
  ON CONFLICT (model_id, provider, variant) DO UPDATE
     SET (upstream_model, context_length, max_completion_tokens, quantization, active)
       = (excluded.upstream_model, excluded.context_length, excluded.max_completion_tokens, excluded.quantization, true)
   WHERE stored.* IS DISTINCT FROM excluded.*`
