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
  /** Who takes the payment; null: the first who takes the currency. */
  readonly providerName: string | null
  /** Whether the provider keeps the card that it is paid with. */
  readonly isSaving: boolean
  /** With the client's own key; null: it sent none. */
  readonly request: IdempotentRequest | null
}

const dayMs = 86_400_000
const openMax = 20

/**
 * Commits an order, then asks the provider for a page to pay it on. A process that dies in between leaves an order that
 * a worker asks about; a provider that fails leaves one that the same request can be repeated for.
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

/** The page of an order that waits to be paid, now or from before. */
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
 * The page asks once what has become of the order; the wallet is credited by what the provider says, not by the page.
 * It is told the wallet, because the payer may have paid for an organization.
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

/** How much a payer may order in a day, and leave open. */
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
