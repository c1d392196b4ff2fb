import { malformed } from '#errors/malformed.ts'
import type { JsonValue } from '#lib/json.ts'

/** Rejects an unknown role: an upstream would reject it, and a misspelled role must not be taken for another. */
export function checkRole(role: JsonValue | undefined, place: string, known: readonly string[]): void {
  if (typeof role !== 'string') throw malformed(`${place}.role must be a string.`)
  if (!known.includes(role)) throw malformed(`${place}.role must be one of ${known.join(', ')}.`)
}
