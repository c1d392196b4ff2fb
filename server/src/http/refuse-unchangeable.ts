import type { TSchema } from 'typebox'
import { GatewayError } from '#errors/gateway-error.ts'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import type { Endpoint } from './endpoint.ts'

const namedMax = 5

/**
 * Rejects a change that names a field which the endpoint can't change. If the field were ignored, the response would be
 * 200, and the client would believe that it has renamed a key, rotated a secret or set a limit whose name it
 * misspelled.
 */
export function refuseUnchangeable(
  { method, body: schema }: Pick<Endpoint, 'method' | 'body'>,
  body: JsonObject,
): void {
  if (method !== 'PATCH' || schema === undefined) return
  const changeable = fieldsOf(schema)
  const refused = Object.keys(body).filter((field) => !changeable.includes(field))
  if (refused.length === 0) return
  const names = refused.slice(0, namedMax).map((field) => `\`${field.slice(0, 100)}\``)
  throw new GatewayError('unsupportedParam', {
    message: `${names.join(', ')} can't be changed here. You can change: ${changeable.join(', ')}.`,
  })
}

function fieldsOf(schema: TSchema): readonly string[] {
  const properties: unknown = 'properties' in schema ? schema.properties : undefined
  return isJsonObject(properties) ? Object.keys(properties) : []
}
