import type { GatewayError } from '#errors/gateway-error.ts'

/** The body of a refusal, with the error types that clients of Messages know. */
export function messagesErrorBody(error: GatewayError, requestId: string): string {
  const { status, code } = error.row
  return JSON.stringify({
    type: 'error',
    error: { type: errorTypeOf(status), message: error.message, code },
    request_id: requestId,
  })
}

export function errorTypeOf(status: number): string {
  return errorTypes.get(status) ?? (status < 500 ? 'invalid_request_error' : 'api_error')
}

const errorTypes: ReadonlyMap<number, string> = new Map([
  [401, 'authentication_error'],
  [402, 'billing_error'],
  [403, 'permission_error'],
  [404, 'not_found_error'],
  [410, 'not_found_error'],
  [413, 'request_too_large'],
  [429, 'rate_limit_error'],
  [503, 'overloaded_error'],
  [504, 'timeout_error'],
])
