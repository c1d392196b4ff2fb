/**
 * JSON that Postgres takes. It knows no NUL and no half of a surrogate pair, and refuses everything that one of them
 * stands in: a row with a word of a client or of an upstream in it would never be written, and nothing of what it says
 * charged.
 */
export function storableJson(value: unknown): string {
  const json = JSON.stringify(value)
  // Whole pairs are not escaped, so that almost nothing is looked at twice.
  return doubtful.test(json) ? JSON.stringify(value, (_, each: unknown) => storable(each)) : json
}

const doubtful = /\\u(?:0000|d[89a-f])/

function storable(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [storableText(key), member]))
}

function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd')
}
