import type { JsonObject, JsonValue } from '#lib/json.ts'
import type { MediaAnswer, MediaHandler } from '../../start-media-upstream.ts'
import { asBase64, lengthOf, listAt, nameOf, seedOf, tokensIn, vectorFor } from './vectors.ts'

interface OpenAiShape {
  /** More inputs than this are rejected. */
  readonly inputsMax?: number
  readonly dimensionsField?: string
  /** Reverses the order, like upstreams that work in parallel. */
  readonly reversed?: true
  /** The encoding of every response, regardless of the requested `encoding_format`. */
  readonly always?: 'float' | 'base64'
  /** The id of the response, for upstreams that send one. */
  readonly id?: string
  readonly usage?: (prompt: number) => JsonObject | undefined
}

/** `POST /embeddings` of OpenAI and compatible upstreams; the document is indented like OpenAI's. */
export function openAiShaped(shape: OpenAiShape = {}): MediaHandler {
  return ({ path, json }) => {
    if (!path.endsWith('/embeddings')) return refusal(404, `Unknown request URL: POST ${path}.`, 'unknown_url')
    const { input } = json
    const inputs = Array.isArray(input) && typeof input[0] !== 'number' ? listAt(json, 'input') : [input ?? null]
    if (inputs.length > (shape.inputsMax ?? 2_048)) {
      const text = `'$.input' is invalid: batch size is invalid, it should not be larger than ${shape.inputsMax}.`
      return refusal(400, text, null)
    }
    const form = shape.always ?? json.encoding_format ?? 'float'
    const data = inputs.map((each, index) =>
      entry(each, index, lengthOf(json, shape.dimensionsField ?? 'dimensions'), form),
    )
    const prompt = inputs.reduce<number>((sum, each) => sum + tokensIn(each), 0)
    const usage = shape.usage === undefined ? { prompt_tokens: prompt, total_tokens: prompt } : shape.usage(prompt)
    const list = {
      ...(shape.id === undefined ? {} : { id: shape.id }),
      object: 'list',
      data: shape.reversed ? data.toReversed() : data,
      model: nameOf(json),
      usage,
    }
    return { headers: { 'content-type': 'application/json' }, body: `${JSON.stringify(list, null, 2)}\n` }
  }
}

function entry(input: JsonValue, index: number, length: number, form: JsonValue): JsonObject {
  const vector = vectorFor(seedOf(input), length)
  return { object: 'embedding', index, embedding: form === 'base64' ? asBase64(vector) : vector }
}

export function refusal(status: number, message: string, code: string | null): MediaAnswer {
  return { status, body: { error: { message, type: 'invalid_request_error', param: null, code } } }
}
