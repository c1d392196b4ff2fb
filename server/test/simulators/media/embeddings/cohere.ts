import { stringAt } from '#lib/json.ts'
import type { MediaHandler } from '../../start-media-upstream.ts'
import { lengthOf, listAt, objectsAt, seedOf, tokensIn, vectorFor } from './vectors.ts'

/** `POST /v2/embed`. Texts are billed per token; an image per image, or per token within an item. */
export const cohere: MediaHandler = ({ path, json }) => {
  if (path !== '/v2/embed') return { status: 404, body: { message: `no such endpoint: ${path}` } }
  if (json.input_type === undefined)
    return { status: 400, body: { message: 'invalid request: valid input_type must be provided' } }
  const texts = listAt(json, 'texts')
  const images = listAt(json, 'images')
  const items = objectsAt(json, 'inputs')
  const inputs = [...texts, ...images, ...items]
  if (inputs.length > 96) {
    return { status: 400, body: { message: 'invalid request: total number of texts must be at most 96' } }
  }
  const parts = items.flatMap((item) => objectsAt(item, 'content'))
  const words = [...texts, ...parts.map((part) => stringAt(part, 'text') ?? '')]
  const shown = parts.filter(({ type }) => type === 'image_url').length
  const billed = {
    ...(images.length > 0
      ? { images: images.length }
      : { input_tokens: words.reduce<number>((sum, text) => sum + tokensIn(text), 0) }),
    ...(shown > 0 ? { image_tokens: shown * 300 } : {}),
  }
  return {
    body: {
      id: '3198467e-399f-4d4a-aa2c-58af93bd6dc4',
      embeddings: { float: inputs.map((input) => vectorFor(seedOf(input), lengthOf(json, 'output_dimension'))) },
      texts,
      meta: { api_version: { version: '2' }, billed_units: billed },
      response_type: 'embeddings_by_type',
    },
  }
}
