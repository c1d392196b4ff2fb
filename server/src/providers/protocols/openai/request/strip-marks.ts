import { isJsonObject, type JsonObject, type JsonValue } from '#lib/json.ts'
import { editMessages } from './edit-messages.ts'

/**
 * Removes prompt-cache markers from messages and tools, and returns whether there were any. The client's own objects
 * are not changed.
 */
export function stripMarks(body: JsonObject): boolean {
  let isStripped = false
  const withoutMark = (holder: JsonObject): JsonObject => {
    if (holder.cache_control === undefined) return holder
    isStripped = true
    const { cache_control: _mark, ...rest } = holder
    return rest
  }
  const ofAll = (values: JsonValue[]): JsonValue[] => {
    const plain = values.map((value) => (isJsonObject(value) ? withoutMark(value) : value))
    return plain.every((value, index) => value === values[index]) ? values : plain
  }
  editMessages(body, (message) => {
    const plain = withoutMark(message)
    const { content } = plain
    const parts = Array.isArray(content) ? ofAll(content) : content
    return parts === content ? plain : { ...plain, content: parts }
  })
  if (Array.isArray(body.tools)) body.tools = ofAll(body.tools)
  return isStripped
}
