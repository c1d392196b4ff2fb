import type { JsonValue } from '#lib/json.ts'
import type { MediaHandler } from '../../start-media-upstream.ts'
import { asBase64, lengthOf, listAt, nameOf, objectsAt, seedOf, tokensIn, vectorFor } from './vectors.ts'

/** Voyage's three paths, which only count a total. */
export const voyage: MediaHandler = ({ path, json }) => {
  const made = (input: JsonValue, index: number) => {
    const vector = vectorFor(seedOf(input), lengthOf(json, 'output_dimension'))
    const isText = json.encoding_format === 'base64'
    return { object: 'embedding', embedding: isText ? asBase64(vector) : vector, index }
  }
  const model = nameOf(json)
  if (path.endsWith('/multimodalembeddings')) {
    const inputs = objectsAt(json, 'inputs')
    const parts = inputs.flatMap((input) => objectsAt(input, 'content'))
    const kinds = new Set(parts.map(({ type }) => type))
    if (kinds.has('image_url') && kinds.has('image_base64')) {
      return { status: 400, body: { detail: 'image_url and image_base64 can not be mixed in one request.' } }
    }
    const text = parts.reduce((sum, part) => sum + tokensIn(part.text), 0)
    const pixels = parts.filter(({ type }) => type !== 'text').length * 56_000
    const usage = { text_tokens: text, image_pixels: pixels, total_tokens: text + pixels / 560 }
    return { body: { object: 'list', data: inputs.map(made), model, usage } }
  }
  if (path.endsWith('/contextualizedembeddings')) {
    const documents = listAt(json, 'inputs').map((chunks) => (Array.isArray(chunks) ? chunks : []))
    const data = documents.map((chunks, index) => ({ object: 'list', data: chunks.map(made), index }))
    const total = documents.flat().reduce<number>((sum, chunk) => sum + tokensIn(chunk), 0)
    return { body: { object: 'list', data, model, usage: { total_tokens: total } } }
  }
  const inputs = listAt(json, 'input')
  if (inputs.length > 1_000) return { status: 400, body: { detail: 'The batch size limit is 1000.' } }
  const total = inputs.reduce<number>((sum, input) => sum + tokensIn(input), 0)
  return { body: { object: 'list', data: inputs.map(made), model, usage: { total_tokens: total } } }
}
