import type { JsonObject } from '#lib/json.ts'

/** A rerank model in the format of an import file. */
export function rerankModel(
  id: string,
  provider: string,
  {
    pricing = { prompt: '0.00000005' },
    upstream = id.split('/')[1] ?? id,
  }: { pricing?: JsonObject; upstream?: string } = {},
): JsonObject {
  return {
    id,
    name: id,
    kind: 'rerank',
    provider,
    upstream_model_id: upstream,
    input_modalities: ['text'],
    output_modalities: ['rerank'],
    pricing,
    status: 'active',
  }
}
