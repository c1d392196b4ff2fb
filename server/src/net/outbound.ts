import { GatewayError } from '#errors/gateway-error.ts'
import { FairTurnstile } from '#lib/fair-turnstile.ts'
import type { Outbound } from '#ports/outbound.ts'

export interface OutboundLimits {
  readonly atOnceMax: number
  readonly perAccountMax: number
  readonly waitingPerAccountMax: number
  /** Maximum bytes of all work in progress, counted by the size limit of each unit. */
  readonly bytesMax: number
  readonly bytesPerAccountMax: number
}

// Ten accounts can fill the process, which is more than fill their own queues by accident.
const fullLinesMax = 10

export function createOutbound(limits: OutboundLimits): Outbound {
  const line = new FairTurnstile({
    atOnceMax: limits.atOnceMax,
    atOnceMaxEach: limits.perAccountMax,
    waitingMax: limits.waitingPerAccountMax * fullLinesMax,
    waitingMaxEach: limits.waitingPerAccountMax,
    weightMax: limits.bytesMax,
    weightMaxEach: limits.bytesPerAccountMax,
    refusal: (whose) => tooMuch(whose, 'requests to customer-provided URLs'),
  })
  return {
    run: ({ account, bytesMax, signal }, work) =>
      line.run({ account, weight: bytesMax, ...(signal === undefined ? {} : { signal }) }, work),
    get busyAccounts() {
      return line.busy
    },
  }
}

/**
 * An account with too much work in progress gets its own error. If the process is full, no single account is at fault.
 */
export function tooMuch(whose: 'account' | 'process', what: string): GatewayError {
  const errorName = whose === 'account' ? 'rateLimited' : 'overloaded'
  const message = `Too many ${what}${whose === 'account' ? ' by this account' : ''} are queued. Nothing was charged. Retry shortly.`
  return new GatewayError(errorName, { message, retryAfterS: 5 })
}
