import { GatewayError } from '#errors/gateway-error.ts'

/** This process has not loaded models or accounts yet, so it must not say that there are none. */
export function notLoaded(what: 'catalogue' | 'routing table'): GatewayError {
  return new GatewayError('notReady', {
    message: `The gateway can't serve this request yet because its ${what} is not loaded. Retry shortly.`,
    inside: `the ${what} failed to load; see the log and /ready`,
    retryAfterS: 5,
  })
}
