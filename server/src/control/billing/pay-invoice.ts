import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import { platformChain } from '#domain/audit/audit-entry.ts'
import { quoteInvoice } from '#domain/billing/quote-invoice.ts'
import { usdJson } from '#domain/money/nano-usd.ts'
import type { TopUp } from '#domain/payments/top-up.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { assert } from '#lib/assert.ts'
import { newUuid, type Uuid } from '#lib/uuid.ts'
import type { Invoice, Invoices } from '#ports/billing.ts'
import type { ChangeAuthor } from '#ports/keys.ts'
import { type BookDeps, followPayment } from '../payments/follow-payment.ts'
import { openCheckout, type OrderDeps } from '../payments/order-top-up.ts'
import { chooseProvider, paymentsOff, providerNamed } from '../payments/provider-named.ts'
import type { PayableWallet } from '../wallets/open-wallet-to-pay.ts'

export interface PayInvoiceDeps extends OrderDeps, Omit<BookDeps, 'topUps'> {
  readonly invoices: Pick<Invoices, 'find'>
}

/**
 * Returns the order that pays an invoice, with its payment page. An open order is reused. The provider is first asked
 * whether the order is still open, so that a closed page is not shown and nothing is paid twice.
 */
export async function payInvoice(
  deps: PayInvoiceDeps,
  { wallet, number, providerName }: { wallet: PayableWallet; number: string; providerName: string | null },
  author: ChangeAuthor,
): Promise<TopUp> {
  const { providers, topUps } = deps
  if (providers.length === 0) throw paymentsOff()
  const waiting = await findWaiting(deps, await readInvoice(deps, wallet, number))
  if (waiting?.state === 'open') return waiting
  const invoice = await readInvoice(deps, wallet, number)
  if (invoice.paidAtMs !== null) throw new GatewayError('conflict', { message: `Invoice ${number} is already paid.` })
  const provider = chooseProvider(providers, { name: providerName, currency: 'usd' })
  const { walletId, userId: payerId } = wallet
  const place = { walletId, payerId, provider: provider.name, isLive: provider.isLive, reference: null }
  const added = await topUps.add(
    { id: newUuid(author.nowMs), ...place, ...quoteInvoice(invoice), invoiceNumber: number },
    { limit: null, request: null, entry: (topUpId) => entryFor(wallet, { topUpId, invoice, author }) },
  )
  assert(typeof added !== 'string', 'the order of an invoice has neither limit nor key')
  const opener = providerNamed(providers, added.provider)
  return opener === null ? added : openCheckout(deps, opener, added)
}

async function readInvoice({ invoices }: PayInvoiceDeps, wallet: PayableWallet, number: string): Promise<Invoice> {
  const invoice = await invoices.find(number)
  if (invoice?.walletId !== wallet.walletId) {
    throw new GatewayError('notFound', { message: 'Invoice not found.' })
  }
  return invoice
}

/** Returns the open order in its current state. */
async function findWaiting(deps: PayInvoiceDeps, { openOrderId }: Invoice): Promise<TopUp | null> {
  const order = openOrderId === null ? null : await deps.topUps.find(openOrderId)
  const provider = order === null ? null : providerNamed(deps.providers, order.provider)
  if (order === null || provider === null) return order
  const opened = await openCheckout(deps, provider, order)
  return (await followPayment({ ...deps, provider }, opened)).order
}

function entryFor(
  { walletId, organizationId }: PayableWallet,
  { topUpId, invoice, author }: { topUpId: Uuid; invoice: Invoice; author: ChangeAuthor },
): AuditEntry {
  return {
    chainId: organizationId ?? platformChain,
    actor: author.actor,
    requestId: author.requestId,
    action: 'top_up.order',
    target: { kind: 'wallet', id: walletId },
    details: { topUpId, credit: usdJson(invoice.credit), invoice: invoice.number },
  }
}
