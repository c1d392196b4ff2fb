import { isJsonObject, type JsonObject } from '#lib/json.ts'

/** The objects of a JSONL document. */
export function jsonLines(text: string): JsonObject[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const value: unknown = JSON.parse(line)
      if (!isJsonObject(value)) throw new Error(`not an object: ${line}`)
      return value
    })
}
