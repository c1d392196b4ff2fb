import type { EmbeddingInput, EmbeddingPart, MediaInput } from '#domain/media/media-task.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '#lib/json.ts'
import { parseImageUrl } from '../image-url.ts'

/** Reads the inputs to embed: one vector for each text, list of token ids or item. */
export function readInputs(input: JsonValue | undefined): readonly EmbeddingInput[] {
  if (input === undefined || input === null) {
    throw new GatewayError('missingRequiredField', {
      message: 'The field `input` is required: a string, an array of strings, or items with `content`.',
    })
  }
  if (!Array.isArray(input)) return [readInput(input, '`input`')]
  if (input.length === 0) throw malformed('`input` is an empty array. Send at least one string.')
  // A list of numbers is one text, as token ids.
  if (typeof input[0] === 'number') {
    refuseManyIds(input.length)
    return [tokensOf(input, '`input`')]
  }
  if (input.length > inputsMax) {
    throw malformed(`\`input\` has ${input.length} entries; send at most ${inputsMax} in one request.`)
  }
  const inputs = input.map((item, index) => readInput(item, `input[${index}]`))
  const tokenLists = inputs.filter(({ kind }) => kind === 'tokens').length
  refuseManyTokens(inputs)
  if (tokenLists > 0 && tokenLists < inputs.length) {
    throw malformed('`input` mixes token ids and strings. Use one form for all entries.')
  }
  return inputs
}

const inputsMax = 2_048
/** OpenAI's maximum per request. */
export const tokenIdsMax = 300_000

function refuseManyTokens(inputs: readonly EmbeddingInput[]): void {
  refuseManyIds(inputs.reduce((sum, input) => sum + (input.kind === 'tokens' ? input.tokens.length : 0), 0))
}

function refuseManyIds(count: number): void {
  if (count <= tokenIdsMax) return
  throw malformed(`\`input\` has ${count} token ids; send at most ${tokenIdsMax} in one request.`)
}

function readInput(input: JsonValue, place: string): EmbeddingInput {
  if (typeof input === 'string') return { kind: 'text', text: filled(input, place) }
  if (Array.isArray(input)) return tokensOf(input, place)
  if (isJsonObject(input)) return itemOf(input, place)
  throw malformed(`${place} must be a string, an array of token ids, or an item with \`content\`.`)
}

function tokensOf(list: readonly JsonValue[], place: string): EmbeddingInput {
  if (list.length === 0) throw malformed(`${place} is an empty array of token ids.`)
  if (!list.every(isTokenId)) throw malformed(`${place} must contain only token ids (integers).`)
  return { kind: 'tokens', tokens: list }
}

const tokenIdMax = 2 ** 31 - 1

function isTokenId(value: JsonValue): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= tokenIdMax
}

/** An item without an image is a plain text, which every provider can read. */
function itemOf({ content }: JsonObject, place: string): EmbeddingInput {
  if (typeof content === 'string') return { kind: 'text', text: filled(content, `${place}.content`) }
  if (!Array.isArray(content) || content.length === 0) {
    throw malformed(`${place}.content must be an array of parts, each of type "text" or "image_url".`)
  }
  const parts = content.map((part, index) => partOf(part, `${place}.content[${index}]`))
  const texts = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []))
  return texts.length === parts.length ? { kind: 'text', text: texts.join('\n') } : { kind: 'parts', parts }
}

function partOf(part: JsonValue, place: string): EmbeddingPart {
  if (isJsonObject(part) && part.type === 'text' && typeof part.text === 'string') {
    return { kind: 'text', text: filled(part.text, `${place}.text`) }
  }
  if (isJsonObject(part) && part.type === 'image_url') {
    return { kind: 'image', image: readImage(part.image_url, `${place}.image_url.url`) }
  }
  throw malformed(`${place} must be {"type":"text","text":…} or {"type":"image_url","image_url":{"url":…}}.`)
}

function filled(text: string, place: string): string {
  if (text === '') throw malformed(`${place} is an empty string, which can't be embedded. Remove it.`)
  return text
}

/** The image of a part: `{"url": …}`, or the URL itself. */
function readImage(named: JsonValue | undefined, place: string): MediaInput {
  const url = isJsonObject(named) ? named.url : named
  if (typeof url === 'string') return parseImageUrl(url, place)
  throw new GatewayError('invalidImageUrl', {
    message: `${place} must be an https:// URL or a data URI such as data:image/png;base64,…`,
  })
}
