import { GatewayError } from '#errors/gateway-error.ts'
import type { JsonObject } from '#lib/json.ts'

/** Fields of a body, each of the type it must have. Undefined: the field is not there. */
export interface BodyReader {
  text(field: string): string | undefined
  requiredText(field: string): string
  /** Null where the field is null. */
  nullableText(field: string): string | null | undefined
  flag(field: string): boolean | undefined
  nullableFlag(field: string): boolean | null | undefined
  whole(field: string): number | undefined
}

export function createBodyReader(body: JsonObject): BodyReader {
  const text = (field: string): string | undefined => {
    const value = body[field]
    if (value === undefined || typeof value === 'string') return value
    throw malformed(`${field} must be a text.`)
  }
  const flag = (field: string): boolean | undefined => {
    const value = body[field]
    if (value === undefined || typeof value === 'boolean') return value
    throw malformed(`${field} must be true or false.`)
  }
  return {
    text,
    flag,
    requiredText: (field) => {
      const value = text(field)
      if (value === undefined) throw new GatewayError('missingRequiredField', { message: `${field} is missing.` })
      return value
    },
    nullableText: (field) => (body[field] === null ? null : text(field)),
    nullableFlag: (field) => (body[field] === null ? null : flag(field)),
    whole: (field) => {
      const value = body[field]
      if (value === undefined || (typeof value === 'number' && Number.isInteger(value))) return value
      throw malformed(`${field} must be a whole number.`)
    },
  }
}

function malformed(message: string): GatewayError {
  return new GatewayError('malformedRequest', { message })
}
