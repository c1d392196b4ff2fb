import { GatewayError } from '#errors/gateway-error.ts'

/** A call to a payment provider. A rejection or failure is reported without its message, which may name our account. */
export async function askProvider<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask()
  } catch (cause) {
    throw new GatewayError('paymentsUnavailable', {
      message: 'The payment provider is unavailable. We did not charge you. Retry shortly.',
      inside: cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause),
      retryAfterS: 30,
      cause,
    })
  }
}
