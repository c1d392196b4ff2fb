/**
 * The JSON line of an event, as pino writes it. Null for an event that only pino can write: one with an error, a
 * BigInt, a cycle or half of a surrogate pair, or without a message. pino concatenates several strings per field, which
 * for the event of a request allocates five times the bytes of its line.
 */
export function logLine(head: string, event: unknown, message: unknown): string | null {
  if (typeof event !== 'object' || event === null || typeof message !== 'string') return null
  if (event instanceof Error || 'err' in event) return null
  const fields = encode(event)
  return fields === null ? null : `${head}${fields},"msg":${JSON.stringify(message)}}\n`
}

/** The fields of an object, each after a comma. */
function encode(event: object): string | null {
  try {
    const json = JSON.stringify(event)
    if (halfPair.test(json)) return null
    return json === '{}' ? '' : `,${json.slice(1, -1)}`
  } catch {
    return null
  }
}

const halfPair = /\\ud[89a-f]/
