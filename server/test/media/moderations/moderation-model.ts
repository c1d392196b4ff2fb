import type { JsonObject } from '#test/simulators/json-value.ts'

/** A moderation model in the format of an import file; free without a price. */
export function moderationModel(id: string, provider: string, pricing?: JsonObject): JsonObject {
  return {
    id,
    name: id,
    kind: 'moderation',
    provider,
    upstream_model_id: id.split('/')[1] ?? id,
    input_modalities: provider === 'openai' ? ['text', 'image'] : ['text'],
    output_modalities: ['moderation'],
    pricing: pricing ?? { prompt: '0', completion: '0' },
    ...(pricing === undefined ? { free: true } : {}),
    status: 'active',
  }
}
