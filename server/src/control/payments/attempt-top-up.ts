import { platformChain, systemActor } from '#domain/audit/audit-entry.ts'
import type { BillingProfile } from '#domain/billing/parties.ts'
import { usdJson } from '#domain/money/nano-usd.ts'
import { judgeAutoTopUp, type WalletStanding } from '#domain/payments/auto-top-up.ts'
import { formatMinor } from '#domain/payments/currency.ts'
import { nextCheckOf } from '#domain/payments/next-check.ts'
import type { TopUp } from '#domain/payments/top-up.ts'
import { assert } from '#lib/assert.ts'
import { failpoint, failpointsArmed } from '#lib/failpoint.ts'
import { newUuid, type Uuid } from '#lib/uuid.ts'
import type { AutoTopUp, AutoTopUps } from '#ports/auto-top-up.ts'
import type { BillingProfiles } from '#ports/billing.ts'
import type { AppliedPayment, NewTopUp } from '#ports/payments.ts'
import { chainOf } from '../wallets/credit-wallet.ts'
import { bookReading, type FollowDeps, followPayment } from './follow-payment.ts'
import { limitOf } from './order-top-up.ts'
import type { PaymentOffer } from './payment-offer.ts'
import { quoteIn } from './quote-payment.ts'
import type { KeepingProvider } from './saved-methods.ts'

export interface AttemptDeps extends FollowDeps {
  readonly provider: KeepingProvider
  readonly autoTopUps: Pick<AutoTopUps, 'begin'>
  readonly offer: PaymentOffer
  readonly profiles: Pick<BillingProfiles, 'find'>
}

type ChargeDeps = Pick<AttemptDeps, 'provider' | keyof FollowDeps>

// A card is charged soon after the order or not at all. A worker that was paused finds the order too old; other workers
// give up the order only after twice as long.
const chargeableMs = 10 * 60_000
const givenUpAfterMs = 2 * chargeableMs

/**
 * Tops up a low wallet: commits an order, then charges the saved card for it. If a process dies in between, another
 * worker finishes the order. Returns null if nothing is bought now.
 */
export async function attemptTopUp(deps: AttemptDeps, walletId: Uuid): Promise<AppliedPayment | null> {
  const { autoTopUps, wallets, profiles, offer, nowMs } = deps
  const wallet = await wallets.find(walletId)
  const buyer = await profiles.find(walletId)
  const order = await autoTopUps.begin(walletId, {
    nowMs: nowMs(),
    decide: (chosen, standing) => orderFor(deps, { chosen, standing, buyer }),
    limit: limitOf(offer, nowMs()),
    entry: ({ id, quoted, charged, currency }) => ({
      chainId: wallet === null ? platformChain : chainOf(wallet),
      actor: systemActor,
      requestId: null,
      action: 'top_up.order',
      target: { kind: 'wallet', id: walletId },
      details: {
        topUpId: id,
        credit: usdJson(quoted.credit),
        total: formatMinor(charged.total, currency),
        automatic: true,
      },
    }),
  })
  if (order === null) return null
  if (failpointsArmed) await failpoint('after-attempt')
  return chargeOrder(deps, order)
}

/** Finishes an attempt whose worker died or whose outcome is unknown, and schedules the next check. */
export async function checkAttempt(deps: ChargeDeps, order: TopUp): Promise<void> {
  const ageMs = deps.nowMs() - order.createdAtMs
  if (order.paymentRef === null && ageMs < chargeableMs) {
    const { order: charged } = await chargeOrder(deps, order)
    const status = charged.state === 'open' ? 'pending' : null
    return deps.topUps.scheduleCheck(order.id, nextCheckOf({ state: charged.state, status, ageMs }))
  }
  const { order: followed, status } = await followPayment(deps, order)
  const isGone = status === 'absent' && ageMs >= givenUpAfterMs
  await deps.topUps.scheduleCheck(order.id, isGone ? 'expire' : nextCheckOf({ state: followed.state, status, ageMs }))
}

async function chargeOrder(deps: ChargeDeps, order: TopUp): Promise<AppliedPayment> {
  assert(deps.nowMs() - order.createdAtMs < chargeableMs, 'a card is charged soon after its order')
  const reading = await deps.provider.saved.charge(order)
  if (failpointsArmed) await failpoint('after-charge')
  return bookReading(deps, { order, reading, event: null })
}

function orderFor(
  { offer, provider, nowMs }: AttemptDeps,
  { chosen, standing, buyer }: { chosen: AutoTopUp; standing: WalletStanding; buyer: BillingProfile | null },
): NewTopUp | null {
  const verdict = judgeAutoTopUp(chosen, standing, offer)
  if (!verdict.isDue || chosen.provider !== provider.name || chosen.isLive !== provider.isLive) return null
  const { lines: _, ...amounts } = quoteIn(offer, {
    credit: verdict.credit,
    channel: 'usd',
    currency: 'usd',
    rate: null,
    buyer,
  })
  const { walletId, payerId, customerRef, methodRef } = chosen
  const place = { walletId, payerId, provider: provider.name, isLive: provider.isLive, reference: null }
  return { id: newUuid(nowMs()), ...place, customerRef, methodRef, ...amounts }
}
