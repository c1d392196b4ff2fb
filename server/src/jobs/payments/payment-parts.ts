import { type CheckDeps, checkOrder } from '#control/payments/check-order.ts'
import { keepProviderBooks } from '#control/payments/keep-provider-books.ts'
import { readMissedEvents } from '#control/payments/read-missed-events.ts'
import { errorText } from '#lib/error-text.ts'
import type { Log } from '#lib/log.ts'
import type { PaymentProvider, ProviderBooks } from '#ports/payments.ts'
import type { Part } from '../part.ts'
import { runClaims } from '../run-claims.ts'

export interface PaymentJobDeps extends Omit<CheckDeps, 'provider'> {
  /** Null: none is set up, and there is nothing to do. */
  readonly provider: PaymentProvider | null
  readonly books: ProviderBooks
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>
  readonly lookEveryMs: number
}

// Every webhook is worth a day of retries to the provider; an hour finds what those did not bring.
const hourMs = 3_600_000
const atOnce = 8
// A worker that died with an order leaves it to others after this.
const leaseMs = 120_000

/** Finds what no webhook has told: asks about open orders, reads the provider's list of events, and copies its books. */
export function paymentParts({ provider, ...jobs }: PaymentJobDeps): readonly Part[] {
  if (provider === null) return []
  const deps: RunningDeps = { ...jobs, provider }
  const { topUps, log } = deps
  const checking = runClaims({
    atOnce,
    claim: (atMost) => topUps.claimDue(provider.name, { atMost, leaseMs }),
    work: (order) => checkOrder(deps, order),
    onError: (error) => log.warn({ why: errorText(error) }, 'an order could not be asked about'),
  })
  return [
    { name: 'payments', everyMs: deps.lookEveryMs, ...checking },
    { name: 'payment-events', everyMs: hourMs, run: () => readEvents(deps) },
    { name: 'payment-books', everyMs: hourMs, run: () => keepBooks(deps) },
  ]
}

type RunningDeps = PaymentJobDeps & CheckDeps

async function readEvents(deps: RunningDeps): Promise<void> {
  const missed = await readMissedEvents(deps)
  if (missed > 0) deps.log.warn({ missed }, 'events of the payment provider were read that no webhook had brought')
}

async function keepBooks(deps: RunningDeps): Promise<void> {
  const behind = await keepProviderBooks(deps)
  if (behind > 0) deps.log.warn({ behind }, "orders were behind the payment provider's books")
}
