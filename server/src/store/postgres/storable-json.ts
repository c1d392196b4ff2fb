/**
 * JSON that Postgres accepts. It rejects any value that contains a NUL or half of a surrogate pair: a row with such a
 * string from a client or an upstream would never be written, and its request never charged.
 */
export function storableJson(value: unknown): string {
  const json = JSON.stringify(value)
  // Whole pairs are not escaped, so almost nothing is processed twice.
  return doubtful.test(json) ? JSON.stringify(value, (_, each: unknown) => storable(each)) : json
}

const doubtful = /\\u(?:0000|d[89a-f])/

function storable(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [storableText(key), member]))
}

export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd')
}
