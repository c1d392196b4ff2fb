import { GatewayError } from '#errors/gateway-error.ts'

/** One response for every rejected credential: it never says which part was wrong. */
export function unauthenticated(inside: string): GatewayError {
  return new GatewayError('unauthenticated', {
    message: 'No valid API key was provided. Send your key as "Authorization: Bearer sk-weir-...".',
    inside,
  })
}
