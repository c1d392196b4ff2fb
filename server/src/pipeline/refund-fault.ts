import { asGatewayError } from '#errors/gateway-error.ts'
import type { Outcome, Ticket } from './types.ts'

/**
 * Refunds a request after a fault of ours. Rejected requests are already settled, and settling twice is harmless: this
 * covers bugs of the gateway.
 */
export async function refundFault(
  settle: (ticket: Ticket, outcome: Outcome) => Promise<unknown>,
  ticket: Ticket,
  error: unknown,
): Promise<void> {
  await settle(ticket, {
    kind: 'refunded',
    reason: 'gateway_fault',
    candidate: null,
    status: null,
    answer: null,
    cancelled: false,
    error: asGatewayError(error),
  })
}
