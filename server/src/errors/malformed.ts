import { GatewayError } from './gateway-error.ts'

/** The request has an invalid form. The message describes the valid form. */
export function malformed(message: string, cause?: unknown): GatewayError {
  return new GatewayError('malformedRequest', cause === undefined ? { message } : { message, cause })
}
