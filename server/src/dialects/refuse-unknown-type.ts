import { malformed } from '#errors/malformed.ts'

/**
 * Rejects an item, part or block whose type we don't know. Passing it on would be a guess: most upstreams drop such a
 * part, and the model would answer a prompt that the client did not write.
 */
export function refuseUnknownType(type: string, known: ReadonlySet<string>, place: string): void {
  if (known.has(type)) return
  const named = JSON.stringify(type.slice(0, 100))
  throw malformed(`${place}.type is ${named}, which is not supported. Supported types: ${[...known].join(', ')}.`)
}
