import { GatewayError } from '#errors/gateway-error.ts'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import { isNestedDeeperThan } from '#lib/json-depth.ts'

const depthMax = 64
// The name itself, or any of its characters as an escape, which honest texts hardly ever have.
const poison = /__proto__|\\u00(?:5f|6f|7[024])/i

/** The body as a JSON object, or a refusal. Depth is measured before parsing. */
export function parseJsonBody(bytes: Buffer): JsonObject {
  if (isNestedDeeperThan(bytes, depthMax)) {
    throw new GatewayError('malformedRequest', { message: `The body is nested deeper than ${depthMax} levels.` })
  }
  const body = parse(bytes)
  if (!isJsonObject(body)) throw new GatewayError('malformedRequest', { message: 'The body must be a JSON object.' })
  return body
}

// `JSON.parse` makes `__proto__` an ordinary key, but later copies could take it for the prototype: it is dropped.
function parse(bytes: Buffer): unknown {
  try {
    const text = bytes.toString('utf8')
    if (!poison.test(text)) return JSON.parse(text)
    return JSON.parse(text, (key, value: unknown) => (key === '__proto__' ? undefined : value))
  } catch {
    throw new GatewayError('malformedRequest', { message: 'The body is not valid JSON.' })
  }
}
