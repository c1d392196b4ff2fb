import { type AuditEntry, platformChain } from '#domain/audit/audit-entry.ts'
import { formatUsd, usdJson } from '#domain/money/nano-usd.ts'
import { formatMinor } from '#domain/payments/currency.ts'
import type { TopUp } from '#domain/payments/top-up.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { failpoint, failpointsArmed } from '#lib/failpoint.ts'
import { newUuid, type Uuid } from '#lib/uuid.ts'
import type { ChangeAuthor } from '#ports/keys.ts'
import type { IdempotentRequest } from '#ports/idempotency.ts'
import type { CheckoutPages, NewTopUp, OrderLimit, PaymentProvider, TopUps } from '#ports/payments.ts'
import type { PaymentCustomers } from '#ports/saved-methods.ts'
import { keyReused } from '../wallets/credit-wallet.ts'
import type { PayableWallet } from '../wallets/open-wallet-to-pay.ts'
import type { PaymentOffer } from './payment-offer.ts'
import { chooseProvider, paymentsOff } from './provider-named.ts'
import { openCustomer, requireSaved } from './saved-methods.ts'
import { type PaymentQuote, type PaymentWish, quotePayment } from './quote-payment.ts'

export interface OrderDeps {
  readonly offer: PaymentOffer
  readonly providers: readonly PaymentProvider[]
  readonly topUps: TopUps
  readonly customers: PaymentCustomers
}

interface TopUpOrder extends PaymentWish {
  readonly wallet: PayableWallet
  /** The payment provider, or null for the first one that takes the currency. */
  readonly providerName: string | null
  /** Whether the provider saves the card. */
  readonly isSaving: boolean
  /** Holds the client's idempotency key, or null if it sent none. */
  readonly request: IdempotentRequest | null
}

const dayMs = 86_400_000
const openMax = 20

/**
 * Commits an order, then asks the provider for a payment page. If the process dies in between, a worker checks the
 * order. If the provider fails, the client can repeat the same request.
 */
export async function orderTopUp(deps: OrderDeps, order: TopUpOrder, author: ChangeAuthor): Promise<TopUp> {
  const { providers, topUps, offer } = deps
  if (providers.length === 0) throw paymentsOff()
  const quote = quotePayment(offer, order)
  const provider = chooseProvider(providers, { name: order.providerName, currency: quote.currency })
  const customerRef = order.isSaving ? await customerFor(deps, provider, order) : null
  const added = await topUps.add(newTopUp(provider, { order, quote, customerRef, nowMs: author.nowMs }), {
    limit: limitOf(offer, author.nowMs),
    request: order.request,
    entry: (id) => entryFor(order, { id, quote, author }),
  })
  if (added === 'over_limit') throw overLimit(offer)
  if (added === 'key_reused') throw keyReused()
  if (failpointsArmed) await failpoint('after-order')
  return openCheckout(deps, provider, added)
}

/** Opens the payment page of an order, or returns the existing one. */
export async function openCheckout(
  { offer, topUps }: Pick<OrderDeps, 'topUps'> & { readonly offer: Pick<PaymentOffer, 'creditsUrl'> },
  provider: PaymentProvider,
  order: TopUp,
): Promise<TopUp> {
  if (order.state !== 'open' || order.checkoutUrl !== null) return order
  const checkout = await provider.createCheckout(order, pagesOf(offer, order))
  if (failpointsArmed) await failpoint('after-checkout')
  await topUps.noteCheckout(order.id, checkout)
  if (failpointsArmed) await failpoint('after-noting')
  return { ...order, checkoutRef: checkout.checkoutRef, checkoutUrl: checkout.url }
}

/**
 * The console page checks the order once. The wallet is credited by the provider's response, not by the page. The URL
 * names the wallet, because the payer may have paid for an organization.
 */
export function pagesOf(
  { creditsUrl }: Pick<PaymentOffer, 'creditsUrl'>,
  { id, walletId }: Pick<TopUp, 'id' | 'walletId'>,
): CheckoutPages {
  const wallet = `wallet=${walletId}`
  return { successUrl: `${creditsUrl}?top_up=${id}&${wallet}`, cancelUrl: `${creditsUrl}?cancelled=${id}&${wallet}` }
}

function customerFor({ customers }: OrderDeps, provider: PaymentProvider, { wallet }: TopUpOrder): Promise<string> {
  return openCustomer({ provider: requireSaved([provider]), customers }, wallet.walletId)
}

function newTopUp(
  { name, isLive }: PaymentProvider,
  {
    order,
    quote,
    customerRef,
    nowMs,
  }: { order: TopUpOrder; quote: PaymentQuote; customerRef: string | null; nowMs: number },
): NewTopUp {
  const { lines: _, ...amounts } = quote
  return {
    id: newUuid(nowMs),
    walletId: order.wallet.walletId,
    payerId: order.wallet.userId,
    provider: name,
    isLive,
    reference: null,
    customerRef,
    ...amounts,
  }
}

/** The limits on a payer's daily orders and open orders. */
export function limitOf({ newAccount }: PaymentOffer, nowMs: number): OrderLimit {
  const { days, creditMax } = newAccount
  return { newSinceMs: nowMs - days * dayMs, sinceMs: nowMs - dayMs, creditMax, openMax }
}

function overLimit({ newAccount }: PaymentOffer): GatewayError {
  const { days, creditMax } = newAccount
  const message = `New accounts can order up to ${formatUsd(creditMax)} USD per day in their first ${days} days, with at most ${openMax} unpaid orders.`
  return new GatewayError('topUpLimitReached', { message })
}

function entryFor(
  { wallet, credit }: TopUpOrder,
  { id, quote, author }: { id: Uuid; quote: PaymentQuote; author: ChangeAuthor },
): AuditEntry {
  return {
    chainId: wallet.organizationId ?? platformChain,
    actor: author.actor,
    requestId: author.requestId,
    action: 'top_up.order',
    target: { kind: 'wallet', id: wallet.walletId },
    details: { topUpId: id, credit: usdJson(credit), total: formatMinor(quote.charged.total, quote.currency) },
  }
}
