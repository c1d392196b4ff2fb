import { isJsonObject, type JsonValue, objectAt, stringAt } from '#lib/json.ts'

/** The address that a field of an order holds: as a plain text, or in an object in the way of chat parts. */
export function mediaAddress(value: JsonValue): string | undefined {
  if (typeof value === 'string') return value
  if (!isJsonObject(value)) return undefined
  return (
    stringAt(value, 'url') ??
    stringAt(objectAt(value, 'image_url'), 'url') ??
    stringAt(objectAt(value, 'video_url'), 'url')
  )
}
