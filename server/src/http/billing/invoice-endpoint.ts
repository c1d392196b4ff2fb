import { payInvoice, type PayInvoiceDeps } from '#control/billing/pay-invoice.ts'
import { openWalletToPay } from '#control/wallets/open-wallet-to-pay.ts'
import { malformed } from '#errors/malformed.ts'
import type { Memberships } from '#ports/organizations.ts'
import { changeAuthorOf } from '../author-of.ts'
import { clientOf, type Endpoint } from '../endpoint.ts'
import { topUpSchema } from '../payments/payment-schema.ts'
import { renderTopUp } from '../payments/render-top-up.ts'
import { referenceOf } from '../request-values.ts'
import { requireFreshSession } from '../require-fresh-session.ts'
import { payInvoiceSchema } from './billing-schema.ts'

interface InvoiceEndpointDeps extends PayInvoiceDeps {
  readonly memberships: Memberships
}

/** Pays an invoice through the payment page. */
export function invoiceEndpoint(deps: InvoiceEndpointDeps): Endpoint {
  return {
    name: 'payInvoice',
    method: 'POST',
    tag: 'Account',
    access: 'wallet.pay',
    paths: ['/api/wallets/:walletId/invoices/:number/pay'],
    summary: 'Pay an invoice',
    description: 'Creates an order over the total of the invoice, without a fee.',
    body: payInvoiceSchema,
    reply: {
      status: 201,
      description:
        'The order for the invoice total, without a fee, and its checkout page. Further calls return the same order while it awaits payment.',
      schema: topUpSchema,
    },
    errors: ['notFound', 'staleSession', 'conflict', 'paymentsOff', 'paymentsUnavailable'],
    handle: async (request) => {
      const wallet = await openWalletToPay(deps.memberships, clientOf(request), referenceOf(request, 'walletId'))
      requireFreshSession(request)
      const providerName = request.body['provider'] ?? null
      if (providerName !== null && typeof providerName !== 'string') throw malformed('provider must be a string.')
      const number = referenceOf(request, 'number')
      const order = await payInvoice(deps, { wallet, number, providerName }, changeAuthorOf(request))
      return { status: 201, body: { data: renderTopUp(order) } }
    },
  }
}
