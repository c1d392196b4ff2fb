import type { ModelKind, OutputModality } from '#domain/catalogue/model.ts'
import type { JsonObject } from '#lib/json.ts'

/** Counts and moments come as floats, because the driver would hand out 64-bit integers as text. */
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
