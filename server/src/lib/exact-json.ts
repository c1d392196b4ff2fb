import type { JsonValue } from './json.ts'

/**
 * JSON whose numbers stay text, so that no price passes through a floating-point number. Throws if the text is not
 * JSON.
 */
export function parseExactJson(text: string): JsonValue {
  const parsed: JsonValue = JSON.parse(text, keepNumbers)
  return parsed
}

function keepNumbers(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  return typeof value === 'number' ? (context?.source ?? String(value)) : value
}
