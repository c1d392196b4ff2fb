import { isJsonObject, type JsonObject, type JsonValue } from '#lib/json.ts'
import { editMessages } from '#providers/protocols/openai/request/edit-messages.ts'

/**
 * Mistral requires nine letters and digits as the id of a tool call, while a conversation may have begun with a vendor
 * whose ids are longer. Foreign ids are numbered in order of appearance, so a growing conversation keeps its cached
 * prefix.
 */
export function shortenToolCallIds(body: JsonObject): void {
  const shortIds = new Map<string, string>()
  const shorten = (id: string): string => {
    if (/^[A-Za-z0-9]{9}$/.test(id)) return id
    const short = shortIds.get(id) ?? `call${String(shortIds.size).padStart(5, '0')}`
    shortIds.set(id, short)
    return short
  }
  editMessages(body, (message) => {
    const { tool_calls: calls, tool_call_id: answered } = message
    if (Array.isArray(calls)) return { ...message, tool_calls: calls.map((call) => withShortId(call, shorten)) }
    return typeof answered === 'string' ? { ...message, tool_call_id: shorten(answered) } : message
  })
}

function withShortId(call: JsonValue, shorten: (id: string) => string): JsonValue {
  return isJsonObject(call) && typeof call.id === 'string' ? { ...call, id: shorten(call.id) } : call
}
