import { isJsonObject, type JsonObject } from '#lib/json.ts'

/**
 * Replaces the messages for which `edit` returns another object. The client's own messages are never changed, because
 * the next candidate starts from the same body.
 */
export function editMessages(body: JsonObject, edit: (message: JsonObject) => JsonObject): void {
  const { messages } = body
  if (!Array.isArray(messages)) return
  let isChanged = false
  const edited = messages.map((message) => {
    const result = isJsonObject(message) ? edit(message) : message
    isChanged ||= result !== message
    return result
  })
  if (isChanged) body.messages = edited
}
