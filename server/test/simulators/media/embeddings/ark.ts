import type { MediaHandler } from '../../start-media-upstream.ts'
import { asBase64, lengthOf, nameOf, objectsAt, seedOf, tokensIn, vectorFor } from './vectors.ts'

const imageTokens = 1_312

/** Ark's `POST /embeddings/multimodal`: one vector for all parts of a request. */
export const ark: MediaHandler = ({ path, json }) => {
  if (!path.endsWith('/embeddings/multimodal')) {
    return {
      status: 404,
      body: { error: { code: 'InvalidEndpointOrModel.NotFound', message: 'not found', type: 'NotFound' } },
    }
  }
  const parts = objectsAt(json, 'input')
  const text = parts.reduce((sum, part) => sum + tokensIn(part.text), 0)
  const image = parts.filter(({ type }) => type === 'image_url').length * imageTokens
  const vector = vectorFor(seedOf(json.input), lengthOf(json, 'dimensions'))
  return {
    body: {
      created: 1_743_575_029,
      data: { embedding: json.encoding_format === 'base64' ? asBase64(vector) : vector, object: 'embedding' },
      id: '021743575029404116ffae1a2ae4ed7bdc3d2e2a1ef4f9bd1ea',
      model: nameOf(json),
      object: 'list',
      usage: {
        prompt_tokens: text + image,
        prompt_tokens_details: { image_tokens: image, text_tokens: text },
        total_tokens: text + image,
      },
    },
  }
}
