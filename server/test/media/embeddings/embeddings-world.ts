import { isJsonObject, type JsonObject } from '#lib/json.ts'
import type { Reply } from '#test/setup/reply.ts'

/** An embedding model in the format of an import file. */
export function embeddingModel(
  id: string,
  provider: string,
  special: { prices?: JsonObject; inputs?: string[]; upstream?: string; offers?: JsonObject[] } = {},
): JsonObject {
  const { prices = { prompt: '0.00000013' }, inputs = ['text'], upstream = id.split('/')[1] ?? id } = special
  return {
    id,
    name: id,
    kind: 'embedding',
    provider,
    upstream_model_id: upstream,
    input_modalities: inputs,
    output_modalities: ['embeddings'],
    pricing: prices,
    status: 'active',
    ...(special.offers === undefined ? {} : { offers: special.offers }),
  }
}

/** The vectors of a response, in the order of their indexes. */
export function vectorsOf({ json }: Reply): unknown[] {
  const data = Array.isArray(json.data) ? json.data.filter(isJsonObject) : []
  return data.map(({ embedding }) => embedding)
}

export const pngBase64 =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
export const pngUri = `data:image/png;base64,${pngBase64}`
export const text = (words: string): JsonObject => ({ type: 'text', text: words })
export const image = (url: string): JsonObject => ({ type: 'image_url', image_url: { url } })
