import { isJsonObject, type JsonObject, type JsonValue } from '#lib/json.ts'

/**
 * A guess at the prompt's tokens, for holds and context checks only. Four bytes of UTF-8 to a token; media are not counted
 * by the length of their base64, which would turn a photo into a million tokens.
 */
export function estimateInputTokens(body: JsonObject): number {
  const { input } = body
  let tokens = 0
  if (Array.isArray(input)) for (const item of input) tokens += tokensPerItem + itemTokens(item)
  else tokens += tokensPerItem + textTokens(input)
  for (const name of promptFields) tokens += textTokens(body[name])
  return tokens
}

/** What upstreams put into the prompt beside the items. */
const promptFields = ['instructions', 'tools', 'text', 'response_format']

const tokensPerItem = 4
const bytesPerToken = 4

function itemTokens(item: JsonValue): number {
  if (!isJsonObject(item)) return 0
  if (item.type === 'image_generation_call') return imageTokens
  let tokens = 0
  for (const [key, value] of Object.entries(item)) {
    if (unread.has(key)) continue
    if ((key === 'content' || key === 'output') && Array.isArray(value))
      for (const block of value) tokens += blockTokens(block)
    else tokens += textTokens(value)
  }
  return tokens
}

const unread = new Set(['type', 'role', 'id', 'status'])
const imageTokens = 1_200

function blockTokens(block: JsonValue): number {
  if (!isJsonObject(block)) return textTokens(block)
  switch (block.type) {
    case 'input_image':
      return imageTokens
    case 'input_file':
      return 1_500 + Math.ceil((typeof block.file_data === 'string' ? block.file_data.length : 0) / 40)
    case 'input_audio':
      return Math.ceil(textTokens(block.input_audio) / 25)
    case 'input_video':
      return 5_000
    default:
      return textTokens(block.text ?? block)
  }
}

function textTokens(value: JsonValue | undefined): number {
  if (value === undefined || value === null) return 0
  return Math.ceil(Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value)) / bytesPerToken)
}
