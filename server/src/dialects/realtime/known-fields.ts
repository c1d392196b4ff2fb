import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '#lib/json.ts'

/** How a field of a client's event is treated; a field without a treatment is rejected. */
type Treatment =
  | 'keep'
  /** Not sent: it would write to the operator's account, or start work that no response pays for. */
  | 'drop'
  | ((value: JsonValue, place: string) => JsonValue)

export type Fields = Readonly<Record<string, Treatment>>

/** The object with its known fields. Upstreams get nothing that the gateway does not know. */
export function knownFields(value: JsonValue | undefined, fields: Fields, place: string): JsonObject {
  if (!isJsonObject(value)) throw malformed(`\`${place}\` must be an object.`)
  const kept: JsonObject = {}
  for (const [name, member] of Object.entries(value)) {
    const treatment = Object.hasOwn(fields, name) ? fields[name] : undefined
    const memberPlace = `${place}.${name}`
    if (treatment === undefined) throw unsupported(memberPlace)
    if (treatment === 'drop' || member === undefined) continue
    kept[name] = treatment === 'keep' ? member : treatment(member, memberPlace)
  }
  return kept
}

export function within(fields: Fields): Treatment {
  return (value, place) => knownFields(value, fields, place)
}

export function unsupported(place: string, why = ''): GatewayError {
  return new GatewayError('unsupportedParam', {
    message: `\`${place}\` is not supported in realtime sessions.${why === '' ? '' : ` ${why}`}`,
  })
}

/** Hosted tools run at the provider, at a cost that no response states. */
export function functionsOnly(value: JsonValue, place: string): JsonValue {
  if (!Array.isArray(value)) throw malformed(`\`${place}\` must be an array.`)
  const other = value.findIndex((tool) => !isJsonObject(tool) || tool.type !== 'function')
  if (other === -1) return value
  throw unsupported(`${place}[${other}]`, 'Only tools of the type `function` are.')
}

/** The voice of an account belongs to that account, so only the model's own voices are accepted. */
export function voiceName(value: JsonValue, place: string): JsonValue {
  if (typeof value === 'string') return value
  throw unsupported(place, 'Name a voice of the model.')
}

/** Filters read only strings. */
export function textOnly(value: JsonValue, place: string): JsonValue {
  if (typeof value === 'string') return value
  throw malformed(`\`${place}\` must be a string.`)
}

export function outputCap(value: JsonValue, place: string): JsonValue {
  if (value === 'inf' || (typeof value === 'number' && Number.isSafeInteger(value) && value > 0)) return value
  throw new GatewayError('maxTokensInvalid', { message: `\`${place}\` must be a positive integer or "inf".` })
}
