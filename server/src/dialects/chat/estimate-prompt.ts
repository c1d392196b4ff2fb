import { isJsonObject, type JsonObject, type JsonValue } from '#lib/json.ts'

/**
 * A guess at the prompt's tokens, for holds and context checks only; charging waits for the upstream's own count.
 * Four bytes of UTF-8 to a token is near the truth for English and errs upwards for most other text. Media are not
 * counted by the length of their base64, which would turn a photo into a million tokens.
 */
export function estimatePromptTokens(body: JsonObject): number {
  let bytes = 0
  let tokens = 0
  const { messages } = body
  if (Array.isArray(messages)) {
    for (const message of messages) {
      tokens += tokensPerMessage
      if (!isJsonObject(message)) continue
      const { content } = message
      if (typeof content === 'string') bytes += Buffer.byteLength(content)
      else if (Array.isArray(content)) for (const part of content) tokens += partTokens(part)
      for (const key of Object.keys(message)) if (key !== 'role' && key !== 'content') bytes += bytesOf(message[key])
    }
  }
  for (const name of promptFields) bytes += bytesOf(body[name])
  return tokens + Math.ceil(bytes / bytesPerToken)
}

/** What upstreams put into the prompt beside the messages. */
const promptFields = ['tools', 'functions', 'response_format', 'prediction']

function bytesOf(value: JsonValue | undefined): number {
  if (value === undefined || value === null) return 0
  return Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value))
}

const tokensPerMessage = 4
const bytesPerToken = 4

function partTokens(part: JsonValue): number {
  if (!isJsonObject(part)) return 0
  switch (part.type) {
    case 'text':
      return typeof part.text === 'string' ? Math.ceil(Buffer.byteLength(part.text) / bytesPerToken) : 0
    case 'image_url':
      return 1_200
    case 'file':
      return 1_500 + Math.ceil(lengthIn(part.file, 'file_data') / 40)
    case 'input_audio':
      return Math.ceil(lengthIn(part.input_audio, 'data') / 100)
    case 'video_url':
      return 5_000
    // A part that we do not know may still be one that the upstream reads, and charges for.
    default:
      return Math.ceil(bytesOf(part) / bytesPerToken)
  }
}

function lengthIn(holder: JsonValue | undefined, key: string): number {
  if (!isJsonObject(holder)) return 0
  const value = holder[key]
  return typeof value === 'string' ? value.length : 0
}
