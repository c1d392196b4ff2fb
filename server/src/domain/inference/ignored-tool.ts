import { isJsonObject, type JsonValue, stringAt } from '#lib/json.ts'

/** The name of an omitted tool in `X-Params-Ignored`: its type, in characters that a header can hold. */
export function ignoredToolName(tool: JsonValue): string {
  const type = isJsonObject(tool) ? (stringAt(tool, 'type') ?? '') : ''
  return `tools.${type.replace(/[^\w.-]/g, '_').slice(0, 50)}`
}
