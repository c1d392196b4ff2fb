import { isForGateway } from '#domain/inference/gateway-fields.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import type { JsonObject } from '#lib/json.ts'

/** The prefix that some editors add to every model of a custom endpoint. */
const clientPrefix = 'weir/'

export function readModelName({ model }: JsonObject): string {
  if (model === undefined || model === null) throw missingField('model')
  if (typeof model !== 'string') throw malformed('`model` must be a string.')
  return model.startsWith(clientPrefix) ? model.slice(clientPrefix.length) : model
}

/** Conversation fields that clients send with every request. They have no meaning here, and no upstream gets them. */
const conversationFields = new Set(['plugins', 'prediction'])

/** The unread fields of a body, for upstreams that may know them. */
export function extrasOf(body: JsonObject, readFields: ReadonlySet<string>): JsonObject {
  const isLeft = ([name]: [string, unknown]): boolean =>
    !isForGateway(name) && !conversationFields.has(name) && !readFields.has(name)
  return Object.fromEntries(Object.entries(body).filter(isLeft))
}

export function missingField(name: string, hint = ''): GatewayError {
  return new GatewayError('missingRequiredField', { message: `The field \`${name}\` is required.${hint}` })
}
