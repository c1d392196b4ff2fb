import { isJsonObject, type JsonObject, type JsonValue, stringAt } from '#lib/json.ts'

/**
 * A guess at the prompt's tokens, for holds and context checks only; charging waits for the upstream's own count.
 * Four bytes of UTF-8 to a token, as for chat; media are not counted by the length of their base64.
 */
export function estimateMessagesTokens(body: JsonObject): number {
  let tokens = contentTokens(body.system)
  if (Array.isArray(body.messages)) {
    for (const message of body.messages) {
      tokens += tokensPerMessage
      if (isJsonObject(message)) tokens += contentTokens(message.content)
    }
  }
  return tokens + textTokens(body.tools) + textTokens(body.output_config)
}

const tokensPerMessage = 4
const bytesPerToken = 4

function contentTokens(content: JsonValue | undefined): number {
  if (!Array.isArray(content)) return textTokens(content)
  return content.reduce<number>((sum, block) => sum + blockTokens(block), 0)
}

function blockTokens(block: JsonValue): number {
  if (!isJsonObject(block)) return 0
  switch (block.type) {
    case 'text':
      return textTokens(block.text)
    case 'thinking':
      return textTokens(block.thinking)
    case 'redacted_thinking':
      return textTokens(block.data)
    case 'image':
      return 1_200
    case 'document':
      return documentTokens(block)
    case 'tool_use':
      return textTokens(block.name) + textTokens(block.input)
    case 'tool_result':
      return contentTokens(block.content)
    // A block that we do not know may still be one that the upstream reads, and charges for.
    default:
      return textTokens(block)
  }
}

function documentTokens({ source }: JsonObject): number {
  if (!isJsonObject(source)) return 0
  if (source.type === 'content') return contentTokens(source.content)
  if (source.type === 'text') return textTokens(source.data)
  return 1_500 + Math.ceil((stringAt(source, 'data')?.length ?? 0) / 40)
}

function textTokens(value: JsonValue | undefined): number {
  if (value === undefined || value === null) return 0
  return Math.ceil(Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value)) / bytesPerToken)
}
