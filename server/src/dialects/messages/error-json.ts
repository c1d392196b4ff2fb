import type { GatewayError } from '#errors/gateway-error.ts'

/** The body of an error response, with the error types of Messages. */
export function messagesErrorBody(error: GatewayError, requestId: string): string {
  return JSON.stringify({
    type: 'error',
    error: { type: errorTypeOf(error), message: error.message, code: error.row.code },
    request_id: requestId,
  })
}

export function errorTypeOf({ row: { status, code, type } }: GatewayError): string {
  if (namedAlike.has(code)) return type
  return errorTypes.get(status) ?? (status < 500 ? 'invalid_request_error' : 'api_error')
}

/** Errors with the same type on every endpoint. */
const namedAlike: ReadonlySet<string | number> = new Set(['model_retired', 'content_filter', 'content_moderation'])

const errorTypes: ReadonlyMap<number, string> = new Map([
  [401, 'authentication_error'],
  [402, 'billing_error'],
  [403, 'permission_error'],
  [404, 'not_found_error'],
  [413, 'request_too_large'],
  [429, 'rate_limit_error'],
  [503, 'overloaded_error'],
  [504, 'timeout_error'],
])
