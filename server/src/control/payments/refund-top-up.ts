import { platformEntry } from '../operators/platform-entry.ts'
import { formatUsd } from '#domain/money/nano-usd.ts'
import { formatMinor, type Minor, minor, parseMinor } from '#domain/payments/currency.ts'
import type { PaymentReading } from '#domain/payments/payment-reading.ts'
import { takenOf } from '#domain/payments/split-payment.ts'
import type { TopUp } from '#domain/payments/top-up.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import { failpoint, failpointsArmed } from '#lib/failpoint.ts'
import { isUuid } from '#lib/uuid.ts'
import type { AuditTrail } from '#ports/audit.ts'
import type { ChangeAuthor } from '#ports/keys.ts'
import type { PaymentEvent, PaymentProvider, ReadLocked } from '#ports/payments.ts'
import { providerNamed } from './provider-named.ts'
import { type BookDeps, bookReading, followPayment } from './follow-payment.ts'

export interface RefundDeps extends BookDeps {
  readonly providers: readonly PaymentProvider[]
  readonly audit: AuditTrail
}

interface RefundWish {
  readonly topUpId: string
  /** A decimal in the currency of the payment, or null for the remaining amount. */
  readonly amount: string | null
  /** Refunds even if the wallet has less than the refunded share. */
  readonly force: boolean
  readonly reason: string | null
  readonly key: string | null
}

/**
 * Makes the provider refund money, then books its response. If a bank or provider has no refund API, an operator has
 * sent the money, and only the booking happens here. Without a client's idempotency key, a request that is repeated
 * before the first is booked counts as the same refund.
 */
export async function refundTopUp(deps: RefundDeps, wish: RefundWish, author: ChangeAuthor): Promise<TopUp> {
  const order = isUuid(wish.topUpId) ? await deps.topUps.find(wish.topUpId) : null
  if (order === null) throw new GatewayError('notFound', { message: 'Order not found.' })
  const event = wish.key === null ? null : eventOf(order, wish.key, author.nowMs)
  if (event !== null && (await deps.topUps.missingEvents(order.provider, [event])).length === 0) return order
  const amount = amountOf(order, wish.amount)
  if (!wish.force) await requireCredit(deps, order, amount)
  const { reason } = wish
  const details = { topUpId: order.id, amount: formatMinor(amount, order.currency), force: wish.force, reason }
  const target = { kind: 'wallet', id: order.walletId }
  await deps.audit.append(platformEntry(author, { action: 'top_up.refund', target, details }))
  const provider = providerNamed(deps.providers, order.provider)
  if (order.provider !== 'bank' && provider === null) {
    throw new GatewayError('paymentsOff', { message: `The payment provider ${order.provider} is not configured.` })
  }
  const key = `refund-${order.id}-${wish.key ?? `${order.sums.refunded}-${amount}`}`
  const noteReason = async (): Promise<void> => {
    if (reason === null) return
    const refund = { amount, reason, author: author.actor.name, createdAtMs: author.nowMs }
    await deps.topUps.noteRefund(order.id, key, refund)
  }
  if (provider === null || provider.refund === null) {
    const reading = readSentBack(order, { amount, hasKey: event !== null })
    const { order: booked } = await bookReading(deps, { order, reading, event })
    await noteReason()
    return booked
  }
  await provider.refund(order, { amount, idempotencyKey: key })
  await noteReason()
  if (failpointsArmed) await failpoint('after-refund')
  return (await followPayment({ ...deps, provider }, order, event)).order
}

/**
 * Adds a refund to what is refunded when the order is locked: another operator may have booked one since `seen` was
 * read. Without a key, only a refund that leads to the same sum can be told to be the same.
 */
function readSentBack(seen: TopUp, { amount, hasKey }: { amount: Minor; hasKey: boolean }): ReadLocked {
  return (order, { isNew }) => {
    const { refunded } = order.sums
    const after = minor((hasKey ? refunded : seen.sums.refunded) + amount)
    if (!isNew || refunded === after) return sentBack(order, refunded)
    if (!hasKey && refunded !== seen.sums.refunded) {
      throw new GatewayError('conflict', {
        message: 'Another refund of this payment was booked meanwhile. Check the order and repeat the request.',
      })
    }
    refuseMoreThan(leftOf(order), amount, order)
    return sentBack(order, after)
  }
}

/** The state of a payment after an operator has sent money back. */
function sentBack(order: TopUp, refunded: Minor): PaymentReading {
  const { isLive, id: topUpId, currency, checkoutRef, paymentRef } = order
  return { status: 'paid', isLive, topUpId, currency, sums: { ...order.sums, refunded }, checkoutRef, paymentRef }
}

/** A booked key is stored as an event, so that it is recognized like a provider's event. */
function eventOf({ id, isLive }: TopUp, key: string, nowMs: number): PaymentEvent {
  const about = { topUpId: id, checkoutRef: null, paymentRef: null }
  return { id: `refund-${id}-${key}`, type: 'operator.refund', isLive, createdAtMs: nowMs, ...about }
}

function amountOf(order: TopUp, text: string | null): Minor {
  const left = leftOf(order)
  if (left <= 0n) throw new GatewayError('conflict', { message: 'Nothing is left to refund on this payment.' })
  const amount = text === null ? left : parseMinor(text, order.currency)
  if (amount === undefined || amount <= 0n)
    throw malformed('amount must be greater than zero, in whole units of the currency.')
  refuseMoreThan(left, amount, order)
  return amount
}

function leftOf({ sums }: TopUp): Minor {
  return minor(sums.paid - (sums.refunded - sums.returned) - (sums.withdrawn - sums.reinstated))
}

function refuseMoreThan(left: Minor, amount: Minor, { currency }: TopUp): void {
  if (amount <= left) return
  const message = `At most ${formatMinor(left, currency)} can still be refunded on this payment.`
  throw new GatewayError('conflict', { message })
}

/** Rejects a refund of credit that the owner has already spent. */
async function requireCredit(deps: RefundDeps, { walletId, sums, booked }: TopUp, amount: Minor): Promise<void> {
  const gone = sums.refunded - sums.returned + sums.withdrawn - sums.reinstated
  const { paid } = sums
  const now = takenOf(booked, { paid, gone }).credit
  const credit = takenOf(booked, { paid, gone: gone + amount }).credit - now
  const wallet = await deps.wallets.find(walletId)
  const free = wallet === null ? 0n : wallet.balance - wallet.held
  if (wallet === null || credit <= free) return
  throw new GatewayError('conflict', {
    message: `The wallet balance is ${formatUsd(wallet.balance)} USD, of which ${formatUsd(wallet.held)} USD is held. That is less than the refund. Force the refund to record the rest as debt.`,
  })
}
