import { GatewayError } from '#errors/gateway-error.ts'
import type { EndpointRequest } from '../endpoint.ts'

/** The person, wallet or account that a path names. Postgres takes no text with a zero byte, so nothing has such a name. */
export function referenceOf({ params }: EndpointRequest, name: string): string {
  const reference = params[name] ?? ''
  if (reference.includes('\0')) throw new GatewayError('notFound', { message: 'There is nothing of this name.' })
  return reference
}
