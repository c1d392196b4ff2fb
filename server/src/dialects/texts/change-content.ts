import { isJsonObject, type JsonObject, type JsonValue } from '#lib/json.ts'
import { changeItems, changeMember } from './change-member.ts'

export type TextChange = (text: string) => string

/**
 * Changes content of any dialect: a string, or an array of strings and parts that may have text. A part is recognized
 * by its members, not by its type, so that no text is missed under a type that only an upstream knows.
 */
export function changeContent(content: JsonValue, change: TextChange): JsonValue {
  if (typeof content === 'string') return change(content)
  return changeItems(content, (item) => {
    if (typeof item === 'string') return change(item)
    return isJsonObject(item) ? changePart(item, change) : item
  })
}

/** Changes a message, or any other object with content. */
export function changeContentOf(holder: JsonValue, change: TextChange): JsonValue {
  if (!isJsonObject(holder)) return holder
  return changeMember(holder, 'content', (content) => changeContent(content, change))
}

export function changeText(value: JsonValue, change: TextChange): JsonValue {
  return typeof value === 'string' ? change(value) : value
}

// Tool and search results contain nested content, and so do documents that are not files.
function changePart(part: JsonObject, change: TextChange): JsonObject {
  const said = changeMember(part, 'text', (text) => changeText(text, change))
  const result = changeMember(said, 'content', (content) => changeContent(content, change))
  return part.type === 'document' ? changeMember(result, 'source', (source) => changeSource(source, change)) : result
}

// Other sources are files: a URL, or bytes in base64.
function changeSource(source: JsonValue, change: TextChange): JsonValue {
  if (!isJsonObject(source)) return source
  if (source.type === 'content') return changeContentOf(source, change)
  return source.type === 'text' ? changeMember(source, 'data', (data) => changeText(data, change)) : source
}
