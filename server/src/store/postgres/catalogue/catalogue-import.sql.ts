/** $1: the models as a JSON array. Unchanged rows are not written. */
export const upsertModels = `
  INSERT INTO models AS stored
         (id, name, author, kind, description, context_length, max_completion_tokens, input_modalities,
          output_modalities, supported_parameters, default_provider, upstream_model, aliases, release_date, retires_on,
          listed, details)
  SELECT id, name, author, kind, description, "contextLength", "maxCompletionTokens", "inputModalities",
         "outputModalities", "supportedParameters", "defaultProvider", "upstreamModel", aliases, "releaseDate",
         "retiresOn", listed, details
    FROM json_to_recordset($1::json) AS stated
         (id text, name text, author text, kind text, description text, "contextLength" bigint,
          "maxCompletionTokens" bigint, "inputModalities" text[], "outputModalities" text[],
          "supportedParameters" text[], "defaultProvider" text, "upstreamModel" text, aliases text[],
          "releaseDate" date, "retiresOn" date, listed boolean, details jsonb)
   ORDER BY id
  ON CONFLICT (id) DO UPDATE
     SET (name, author, kind, description, context_length, max_completion_tokens, input_modalities,
          output_modalities, supported_parameters, default_provider, upstream_model, aliases, release_date, retires_on,
          listed, details)
       = (excluded.name, excluded.author, excluded.kind, excluded.description, excluded.context_length,
          excluded.max_completion_tokens, excluded.input_modalities, excluded.output_modalities,
          excluded.supported_parameters, excluded.default_provider, excluded.upstream_model, excluded.aliases,
          excluded.release_date, excluded.retires_on, excluded.listed, excluded.details)
   WHERE stored.* IS DISTINCT FROM excluded.*`

/** $1: ids of the models that the file names. All others are unlisted. */
export const unlistModels = `UPDATE models SET listed = false WHERE listed AND id <> ALL ($1::text[])`

/** $1: the offers as a JSON array. */
export const upsertOffers = `
  INSERT INTO offers AS stored
         (model_id, provider, variant, upstream_model, context_length, max_completion_tokens, quantization, api, purchase,
          active)
  SELECT "modelId", provider, variant, "upstreamModel", "contextLength", "maxCompletionTokens", quantization, api, purchase,
         true
    FROM json_to_recordset($1::json) AS stated
         ("modelId" text, provider text, variant text, "upstreamModel" text, "contextLength" bigint,
          "maxCompletionTokens" bigint, quantization text, api text, purchase jsonb)
   ORDER BY "modelId", provider, variant
  ON CONFLICT (model_id, provider, variant) DO UPDATE
     SET (upstream_model, context_length, max_completion_tokens, quantization, api, purchase, active)
       = (excluded.upstream_model, excluded.context_length, excluded.max_completion_tokens, excluded.quantization,
          excluded.api, excluded.purchase, true)
   WHERE stored.* IS DISTINCT FROM excluded.*`

/**
 * $1: ids of the imported models; $2: their offers as one JSON list. Whatever else is sold of these models is not any
 * more.
 */
export const deactivateOffers = `
  UPDATE offers
     SET active = false
   WHERE active
     AND model_id = ANY ($1::text[])
     AND (model_id, provider, variant) NOT IN (
       SELECT "modelId", provider, variant
         FROM json_to_recordset($2::json) AS stated ("modelId" text, provider text, variant text))`

/** $1: ids of the imported models; $2: their prices as a JSON array. Selects prices in force that the array lacks. */
export const selectUnstatedPrices = `
  SELECT model_id, provider, variant
    FROM (
      SELECT DISTINCT ON (model_id, provider, variant) model_id, provider, variant, units, rules
        FROM prices
       WHERE model_id = ANY ($1::text[])
       ORDER BY model_id, provider, variant, valid_from DESC
    ) AS current
   WHERE (units <> '{}' OR rules <> '[]')
     AND (model_id, provider, variant) NOT IN (
       SELECT "modelId", provider, variant
         FROM json_to_recordset($2::json) AS stated ("modelId" text, provider text, variant text))`

export interface UnstatedPrice {
  model_id: string
  provider: string
  variant: string
}

/**
 * $1: the stated prices as one JSON list; $2: now. Adds those that differ from the newest stored version. A version is
 * always later than the one before it, even when a clock went backwards in between.
 */
export const insertChangedPrices = `
  INSERT INTO prices (id, model_id, provider, variant, units, tiers, rules, valid_from)
  SELECT stated.id, stated."modelId", stated.provider, stated.variant, stated.units, stated.tiers, coalesce(stated.rules, '[]'),
         greatest($2::timestamptz, current.valid_from + interval '1 microsecond')
    FROM json_to_recordset($1::json) AS stated
         (id uuid, "modelId" text, provider text, variant text, units jsonb, tiers jsonb, rules jsonb)
    LEFT JOIN (
      SELECT DISTINCT ON (model_id, provider, variant) *
        FROM prices
       ORDER BY model_id, provider, variant, valid_from DESC
    ) AS current
      ON current.model_id = stated."modelId"
     AND current.provider = stated.provider
     AND current.variant = stated.variant
   WHERE current.id IS NULL OR (current.units, current.tiers, current.rules)
      IS DISTINCT FROM (stated.units, stated.tiers, coalesce(stated.rules, '[]'))`
