import { GatewayError } from '#errors/gateway-error.ts'

/** This process knows nothing of models or accounts yet, so it must not say that there is none. */
export function notLoaded(what: 'catalogue' | 'routing table'): GatewayError {
  return new GatewayError('notReady', {
    message: `This gateway has not loaded its ${what} and cannot serve the request. Please try again shortly.`,
    inside: `the ${what} was never loaded; the log and /ready say why`,
    retryAfterS: 5,
  })
}
