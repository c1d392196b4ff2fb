import { isJsonObject, type JsonObject, type JsonValue } from '#lib/json.ts'

export interface Prompt {
  readonly promptTokens: number
  readonly lastUserText: string
  /** The tool results since the last response, if the last message was one. */
  readonly toolResults: readonly string[]
  readonly messageCount: number
}

/** Four characters count as one token here, so that a client can predict the count. */
export function readPrompt(body: JsonObject): Prompt {
  const messages = Array.isArray(body.messages) ? body.messages.filter(isJsonObject) : []
  const texts = messages.map(({ content }) => textOf(content))
  const characters = texts.reduce((sum, text) => sum + text.length, 0)
  const lastUser = messages.findLastIndex(({ role }) => role === 'user')
  const lastOther = messages.findLastIndex(({ role }) => role !== 'tool')
  return {
    promptTokens: Math.ceil(characters / 4),
    lastUserText: texts[lastUser] ?? '',
    toolResults: texts.slice(lastOther + 1),
    messageCount: messages.length,
  }
}

function textOf(content: JsonValue | undefined): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.flatMap((part) => (isJsonObject(part) && typeof part.text === 'string' ? [part.text] : [])).join('\n')
}
