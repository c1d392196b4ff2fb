import { isJsonObject, type JsonValue } from '#lib/json.ts'
import type { MediaHandler } from '../../start-media-upstream.ts'
import { asBase64, lengthOf, listAt, nameOf, seedOf, tokensIn, vectorFor } from './vectors.ts'

/** Jina's `POST /v1/embeddings`. */
export const jina: MediaHandler = ({ path, json }) => {
  if (!path.endsWith('/embeddings')) return { status: 404, body: { detail: 'Not Found' } }
  const inputs = listAt(json, 'input')
  const total = inputs.reduce<number>((sum, input) => sum + countOf(input), 0)
  const data = inputs.map((input, index) => {
    const vector = vectorFor(seedOf(input), lengthOf(json, 'dimensions'))
    return { object: 'embedding', index, embedding: json.embedding_type === 'base64' ? asBase64(vector) : vector }
  })
  return { body: { model: nameOf(json), object: 'list', usage: { total_tokens: total, prompt_tokens: total }, data } }
}

function countOf(input: JsonValue): number {
  if (!isJsonObject(input)) return tokensIn(input)
  return input.image === undefined ? tokensIn(input.text) : 1_000
}
