import { GatewayError } from '#errors/gateway-error.ts'
import { errorText } from '#lib/error-text.ts'

/** Rejects a request whose customer, tags or run could not be looked up. Rejections of the store pass unchanged. */
export function refuseUnloaded(what: 'customer' | 'tags' | 'run'): (cause: unknown) => never {
  return (cause) => {
    if (cause instanceof GatewayError) throw cause
    throw new GatewayError('storeUnavailable', {
      message: `The ${what} of the request could not be looked up. Retry shortly.`,
      inside: `${what} could not be loaded: ${errorText(cause)}`,
      retryAfterS: 1,
      cause,
    })
  }
}
