import { attemptTopUp, type AttemptDeps } from '#control/payments/attempt-top-up.ts'
import { type CheckDeps, checkOrder } from '#control/payments/check-order.ts'
import { keepProviderStatements } from '#control/payments/keep-provider-statements.ts'
import type { PaymentOffer } from '#control/payments/payment-offer.ts'
import { providerNamed } from '#control/payments/provider-named.ts'
import { isKeeping, type KeepingProvider } from '#control/payments/saved-methods.ts'
import { readMissedEvents } from '#control/payments/read-missed-events.ts'
import type { TopUp } from '#domain/payments/top-up.ts'
import { assert } from '#lib/assert.ts'
import { errorText } from '#lib/error-text.ts'
import type { Log } from '#lib/log.ts'
import type { AutoTopUps } from '#ports/auto-top-up.ts'
import type { BillingProfiles } from '#ports/billing.ts'
import type { PaymentProvider, ProviderStatements } from '#ports/payments.ts'
import type { ErasedCustomers } from '#ports/saved-methods.ts'
import type { Part } from '../part.ts'
import { runClaims } from '../run-claims.ts'

export interface PaymentJobDeps extends Omit<CheckDeps, 'provider'> {
  /** Empty means that there is nothing to do. */
  readonly providers: readonly PaymentProvider[]
  readonly statements: ProviderStatements
  readonly offer: PaymentOffer
  readonly autoTopUps: AutoTopUps
  readonly erasedCustomers: ErasedCustomers
  readonly profiles: Pick<BillingProfiles, 'find'>
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>
  readonly lookEveryMs: number
}

// The provider retries a webhook for a day; an hourly run finds events whose webhook was never delivered.
const hourMs = 3_600_000
const atOnce = 8
// If a worker dies with an order, others take it over after this time.
const leaseMs = 120_000
// A low wallet that may not be topped up, for example at its limit, is checked again after this time.
const lowLeaseMs = 60_000

/**
 * Finds events whose webhook was not delivered: checks open orders, reads the providers' event lists, and copies their
 * ledgers.
 */
export function paymentParts(deps: PaymentJobDeps): readonly Part[] {
  const { providers, topUps, log } = deps
  if (providers.length === 0) return []
  const names = providers.map(({ name }) => name)
  const checking = runClaims({
    atOnce,
    claim: (atMost) => topUps.claimDue(names, { atMost, leaseMs }),
    work: (order) => checkOrder({ ...deps, provider: providerOf(providers, order) }, order),
    onError: (error) => log.warn({ why: errorText(error) }, 'failed to query an order at the payment provider'),
  })
  return [
    { name: 'payments', everyMs: deps.lookEveryMs, ...checking },
    ...autoTopUpParts(deps),
    ...providers.filter(isKeeping).map((provider) => erasedCustomersPart(deps, provider)),
    { name: 'payment-events', everyMs: hourMs, run: () => readEvents(deps) },
    { name: 'payment-books', everyMs: hourMs, run: () => keepBooks(deps) },
  ]
}

/** Tops up low wallets with the cards of the provider that stores them. */
function autoTopUpParts(jobs: PaymentJobDeps): Part[] {
  const provider = jobs.providers.find(isKeeping)
  if (provider === undefined) return []
  const { name, isLive } = provider
  const deps: AttemptDeps = { ...jobs, provider }
  const attempts = runClaims({
    atOnce,
    claim: (atMost) => jobs.autoTopUps.claimLow({ provider: name, isLive }, { atMost, leaseMs: lowLeaseMs }),
    work: async (walletId) => {
      const attempted = await attemptTopUp(deps, walletId)
      if (attempted === null) return
      const { id, state } = attempted.order
      jobs.log.info({ wallet: walletId, topUp: id, state }, 'auto top-up charged a saved card')
    },
    onError: (error) => jobs.log.warn({ why: errorText(error) }, 'auto top-up failed'),
  })
  return [{ name: 'auto-top-ups', everyMs: jobs.lookEveryMs, ...attempts }]
}

/** Deletes the customer and its saved cards at the payment provider after the person was erased here. */
function erasedCustomersPart({ erasedCustomers, lookEveryMs, log }: PaymentJobDeps, provider: KeepingProvider): Part {
  const of = { provider: provider.name, isLive: provider.isLive }
  const deleting = runClaims({
    atOnce,
    claim: (atMost) => erasedCustomers.claim(of, { atMost, leaseMs }),
    work: async (customerRef) => {
      await provider.saved.deleteCustomer(customerRef)
      await erasedCustomers.forget(of, customerRef)
    },
    onError: (error) =>
      log.warn({ why: errorText(error) }, 'the worker could not delete a customer at the payment provider'),
  })
  return { name: 'erased-customers', everyMs: lookEveryMs, ...deleting }
}

function providerOf(providers: readonly PaymentProvider[], order: TopUp): PaymentProvider {
  const provider = providerNamed(providers, order.provider)
  assert(provider !== null, 'only orders of providers that are set up are claimed')
  return provider
}

async function readEvents(deps: PaymentJobDeps): Promise<void> {
  for (const provider of deps.providers) {
    if (provider.lists === null) continue
    const missed = await readMissedEvents({ ...deps, provider }, provider.lists)
    const about = { provider: provider.name, missed }
    if (missed > 0) deps.log.warn(about, 'recovered payment events that no webhook delivered')
  }
}

async function keepBooks(deps: PaymentJobDeps): Promise<void> {
  for (const provider of deps.providers) {
    if (provider.lists === null) continue
    const behind = await keepProviderStatements({ ...deps, provider }, provider.lists)
    const about = { provider: provider.name, behind }
    if (behind > 0) deps.log.warn(about, 'orders were out of date with the payment provider')
  }
}
