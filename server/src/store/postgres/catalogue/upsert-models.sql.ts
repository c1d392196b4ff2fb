/** $1: the models as one JSON list. A row that would stay the same is not written. */
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
