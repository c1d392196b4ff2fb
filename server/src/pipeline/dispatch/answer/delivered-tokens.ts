import { bytesPerToken } from '#lib/estimate-tokens.ts'
import { isJsonObject, type JsonValue, parseJsonObject } from '#lib/json.ts'

/**
 * Estimates the output tokens of an answer, in any dialect, by the size of its texts. The gateway needs it only if an
 * upstream reports more tokens than its cap.
 */
export function deliveredTokens(document: string): number {
  const { choices, content, output } = parseJsonObject(document) ?? {}
  const bytes = textBytes(choices) + textBytes(content) + textBytes(output)
  return Math.floor(bytes / bytesPerToken)
}

function textBytes(value: JsonValue | undefined): number {
  if (typeof value === 'string') return Buffer.byteLength(value)
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + textBytes(item), 0)
  if (!isJsonObject(value)) return 0
  return Object.entries(value).reduce((sum, [key, item]) => sum + (isNoText(key) ? 0 : textBytes(item)), 0)
}

/** Keys of names and signatures, which are not output text. */
function isNoText(key: string): boolean {
  return noTexts.has(key) || key.endsWith('id')
}

const noTexts: ReadonlySet<string> = new Set([
  'role',
  'type',
  'status',
  'object',
  'finish_reason',
  'native_finish_reason',
  'format',
  'logprobs',
  'signature',
  'encrypted_content',
  'data',
  'url',
  // `reasoning_details` repeats the same reasoning.
  'reasoning_details',
])
