import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import { quoteInvoice } from '#domain/billing/quote-invoice.ts'
import { formatUsd, type NanoUsd, nanoUsd, usdJson } from '#domain/money/nano-usd.ts'
import type { PaymentReading } from '#domain/payments/payment-reading.ts'
import { isWholeCents, type TopUpChannel } from '#domain/payments/quote-top-up.ts'
import { noSums, type PaymentSums, type TopUp } from '#domain/payments/top-up.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import { assert } from '#lib/assert.ts'
import { newUuid, type Uuid } from '#lib/uuid.ts'
import type { BillingProfiles, Invoices } from '#ports/billing.ts'
import type { ChangeAuthor } from '#ports/keys.ts'
import type { Wallet } from '#ports/ledger.ts'
import type { NewTopUp } from '#ports/payments.ts'
import { chainOf, creditMax } from '../wallets/credit-wallet.ts'
import { type BookDeps, bookReading } from './follow-payment.ts'
import type { PaymentOffer } from './payment-offer.ts'
import { type PaymentQuote, quoteIn } from './quote-payment.ts'

interface BankTransfer {
  /** The credit, or the invoice's total. */
  readonly credit: NanoUsd
  readonly channel: TopUpChannel
  /** The reference of the transfer, or the number of the invoice that it pays. */
  readonly reference: string
}

export interface TransferDeps extends BookDeps, Pick<PaymentOffer, 'terms' | 'taxes'> {
  readonly profiles: Pick<BillingProfiles, 'find'>
  readonly invoices: Pick<Invoices, 'find'>
}

/** Books money that an operator has seen on the bank account. A reference is booked once, however often it is sent. */
export async function bookTransfer(
  deps: TransferDeps,
  wallet: Wallet,
  { credit, channel, reference }: BankTransfer,
  author: ChangeAuthor,
): Promise<TopUp> {
  if (!isWholeCents(credit) || credit > creditMax)
    throw malformed('The amount must be in whole cents and at most 1000000 USD.')
  const quote = await quoteTransfer(deps, wallet, { credit, channel, reference })
  const id = newUuid(author.nowMs)
  const place = { walletId: wallet.id, payerId: null, provider: 'bank', isLive: true, reference } as const
  const order = await deps.topUps.add(
    { id, ...place, ...quote },
    { limit: null, request: null, entry: (topUpId) => entryFor(wallet, { topUpId, credit, reference, author }) },
  )
  assert(typeof order !== 'string', 'a transfer has neither limit nor key')
  if (
    order.walletId !== wallet.id ||
    order.charged.total !== quote.charged.total ||
    order.quoted.credit !== quote.quoted.credit
  ) {
    throw new GatewayError('conflict', {
      message: `The transfer ${reference} was already booked with other details: order ${order.id}.`,
    })
  }
  const applied = await bookReading(deps, { order, reading: transferred(order), event: null })
  return applied.order
}

/** If the reference is an invoice number, the transfer pays the whole invoice: the amount is its total. */
async function quoteTransfer(
  deps: TransferDeps,
  wallet: Wallet,
  { credit, channel, reference }: BankTransfer,
): Promise<Omit<PaymentQuote, 'lines'> & Pick<NewTopUp, 'invoiceNumber'>> {
  const invoice = await deps.invoices.find(reference)
  if (invoice === null) {
    const buyer = await deps.profiles.find(wallet.id)
    const { lines: _, ...quote } = quoteIn(deps, { credit, channel, currency: 'usd', rate: null, buyer })
    return quote
  }
  const total = nanoUsd(invoice.credit + invoice.tax)
  const faults: readonly [boolean, string][] = [
    [invoice.walletId !== wallet.id, 'belongs to another wallet'],
    [credit !== total, `totals ${formatUsd(total)} USD and must be paid by a transfer of exactly that amount`],
    [invoice.paidAtMs !== null && !invoice.hasTransfer, 'is already paid'],
  ]
  const fault = faults.find(([isFault]) => isFault)
  if (fault !== undefined) throw new GatewayError('conflict', { message: `Invoice ${reference} ${fault[1]}.` })
  return { ...quoteInvoice(invoice), invoiceNumber: reference }
}

/** The payment state of a received transfer. */
function transferred(order: TopUp): PaymentReading {
  const sums: PaymentSums = { ...noSums, paid: order.charged.total, refunded: order.sums.refunded }
  const { isLive, id: topUpId, currency } = order
  return { status: 'paid', isLive, topUpId, currency, sums, checkoutRef: null, paymentRef: null }
}

function entryFor(
  wallet: Wallet,
  { topUpId, credit, reference, author }: { topUpId: Uuid; credit: NanoUsd; reference: string; author: ChangeAuthor },
): AuditEntry {
  return {
    chainId: chainOf(wallet),
    actor: author.actor,
    requestId: author.requestId,
    action: 'top_up.order',
    target: { kind: 'wallet', id: wallet.id },
    details: { topUpId, credit: usdJson(credit), reference },
  }
}
