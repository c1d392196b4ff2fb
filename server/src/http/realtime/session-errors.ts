import { GatewayError } from '#errors/gateway-error.ts'

/** A close frame has room for 123 bytes. */
export function closeReason({ row }: GatewayError): string {
  return String(row.code)
}

export function upstreamClosed(): GatewayError {
  const message = 'The upstream closed the session. Nothing was charged for a response that was not done.'
  return new GatewayError('upstreamUnavailable', { message })
}

export function responseActive(): GatewayError {
  const message = 'The session already has a response in progress. Wait for `response.done`, or cancel it.'
  return new GatewayError('responseInProgress', { message })
}

export function unheld(id: unknown): GatewayError {
  const message = 'The upstream sent a response that the session did not ask for.'
  return new GatewayError('pipelineError', { message, inside: `response ${String(id)} has no hold` })
}

export function upstreamStalled(): GatewayError {
  const message = 'The upstream stopped responding. Nothing was charged for the response.'
  return new GatewayError('upstreamStalled', { message })
}

export function sessionExpired(message: string): GatewayError {
  return new GatewayError('sessionExpired', { message })
}
