import type { JsonObject } from '#lib/json.ts'

/** A realtime model in the format of an import file. */
export function realtimeModel(id: string, change: JsonObject = {}): JsonObject {
  return {
    id,
    name: id,
    kind: 'realtime',
    provider: 'openai',
    upstream_model_id: id.split('/')[1] ?? id,
    context_length: 32_000,
    input_modalities: ['text', 'audio'],
    output_modalities: ['text', 'audio'],
    pricing: {
      prompt: '0.000004',
      completion: '0.000016',
      cache_read: '0.0000004',
      audio_input: '0.000032',
      audio_output: '0.000064',
    },
    status: 'active',
    ...change,
  }
}
