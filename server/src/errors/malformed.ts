import { GatewayError } from './gateway-error.ts'

/** The request does not have the form it must have. The message tells the client which form that is. */
export function malformed(message: string, cause?: unknown): GatewayError {
  return new GatewayError('malformedRequest', cause === undefined ? { message } : { message, cause })
}
