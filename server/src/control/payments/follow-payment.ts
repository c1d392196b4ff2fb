import { type AuditAction, type AuditEntry, platformChain, systemActor } from '#domain/audit/audit-entry.ts'
import { usdJson } from '#domain/money/nano-usd.ts'
import { formatMinor } from '#domain/payments/currency.ts'
import type { PaymentVerdict } from '#domain/payments/judge-payment.ts'
import type { EffectKind, PaymentEffect } from '#domain/payments/payment-effect.ts'
import type { PaymentReading } from '#domain/payments/payment-reading.ts'
import type { TopUp } from '#domain/payments/top-up.ts'
import type { Log } from '#lib/log.ts'
import type { Announce } from '#ports/announce.ts'
import type { Wallet, Wallets } from '#ports/ledger.ts'
import type { AppliedPayment, PaymentEvent, PaymentProvider, ReadLocked, TopUps } from '#ports/payments.ts'

export interface FollowDeps extends BookDeps {
  readonly provider: PaymentProvider
}

export interface BookDeps {
  readonly topUps: TopUps
  readonly wallets: Pick<Wallets, 'find'>
  readonly announce: Announce
  readonly log: Pick<Log, 'info' | 'error'>
  readonly nowMs: () => number
}

interface FollowedPayment extends AppliedPayment {
  readonly status: PaymentReading['status']
}

/**
 * Asks the provider for the state of an order, and books it. Only the provider's response counts, whatever triggered
 * the call.
 */
export async function followPayment(
  deps: FollowDeps,
  order: TopUp,
  event: PaymentEvent | null = null,
): Promise<FollowedPayment> {
  const reading = await deps.provider.readPayment({
    ...order,
    // A process may have died before it stored the page's id; the event contains it.
    checkoutRef: order.checkoutRef ?? event?.checkoutRef ?? null,
  })
  return { ...(await bookReading(deps, { order, reading, event })), status: reading.status }
}

/** Books the known state of an order. Repeated or concurrent calls book it once. */
export async function bookReading(
  deps: BookDeps,
  { order, reading, event }: { order: TopUp; reading: PaymentReading | ReadLocked; event: PaymentEvent | null },
): Promise<AppliedPayment> {
  const { id, walletId } = order
  const wallet = await deps.wallets.find(walletId)
  const applied = await deps.topUps.apply(id, reading, {
    event,
    nowMs: deps.nowMs(),
    describe: (before, verdict) => entriesFor(wallet, before, verdict),
  })
  const { effects, newMismatch } = applied
  if (effects.length > 0) {
    deps.log.info({ topUp: id, wallet: walletId, effects }, 'payment booked')
    await deps.announce({ walletId })
  }
  if (newMismatch !== null) {
    const { state } = applied.order
    deps.log.error({ topUp: id, wallet: walletId, mismatch: newMismatch, state }, 'payment does not match its order')
  }
  return applied
}

const actions = {
  payment: 'top_up.paid',
  refund: 'top_up.refund',
  refund_returned: 'top_up.refund',
  dispute: 'top_up.dispute',
  dispute_won: 'top_up.dispute_won',
  dispute_lost: 'top_up.dispute_lost',
  processor_fee: null,
  processor_fee_returned: null,
} as const satisfies Record<EffectKind, AuditAction | null>

/**
 * Payments and refunds of an organization are in its audit log; those of a person, and every mismatch, are in the
 * platform's.
 */
function entriesFor(wallet: Wallet | null, order: TopUp, verdict: PaymentVerdict): AuditEntry[] {
  const isShared = wallet?.ownerKind === 'organization'
  const stamp = { actor: systemActor, requestId: null, target: { kind: 'wallet', id: order.walletId } }
  const booked = verdict.effects.flatMap((effect): AuditEntry[] => {
    const action = actions[effect.kind]
    if (action === null) return []
    const chainId = isShared ? wallet.ownerId : platformChain
    return [{ ...stamp, chainId, action, details: detailsOf(order, effect) }]
  })
  if (verdict.mismatch === order.mismatch || verdict.mismatch === null) return booked
  const details = { topUpId: order.id, mismatch: verdict.mismatch }
  return [...booked, { ...stamp, chainId: platformChain, action: 'top_up.mismatch', details }]
}

function detailsOf({ id, currency }: TopUp, { kind, amount, transfers }: PaymentEffect) {
  const moved = transfers.find(({ debit, credit }) => debit === 'wallet' || credit === 'wallet')
  const credit = moved === undefined ? null : usdJson(moved.amount)
  return { topUpId: id, effect: kind, amount: formatMinor(amount, currency), credit }
}
