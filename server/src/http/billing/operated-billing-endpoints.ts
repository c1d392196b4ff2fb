import { readWallet } from '#control/wallets/credit-wallet.ts'
import type { BillingDocuments } from '#ports/billing.ts'
import type { Customers } from '#ports/customers.ts'
import type { Wallets } from '#ports/ledger.ts'
import type { Endpoint } from '../endpoint.ts'
import { nameCustomers } from '../payments/name-customers.ts'
import { referenceOf, textOf } from '../request-values.ts'
import { documentPage, fileEndpoints } from './billing-endpoints.ts'
import { operatedDocumentListSchema, operatedDocumentQuerySchema } from './billing-schema.ts'

interface OperatedBillingDeps {
  readonly documents: BillingDocuments
  readonly wallets: Wallets
  readonly customers: Pick<Customers, 'nameWallets'>
}

/** Receipts and invoices for operators. */
export function operatedBillingEndpoints({ documents, wallets, customers }: OperatedBillingDeps): Endpoint[] {
  return [
    {
      name: 'listAllInvoices',
      method: 'GET',
      tag: 'Operators',
      access: 'operators.payments.read',
      paths: ['/api/admin/invoices'],
      summary: 'List documents of all wallets',
      query: operatedDocumentQuerySchema,
      reply: {
        status: 200,
        description: 'A page of receipts, credit notes and invoices, newest first.',
        schema: operatedDocumentListSchema,
      },
      errors: ['notFound', 'malformedRequest'],
      handle: async ({ query }) => {
        const reference = textOf(query, 'wallet')
        const walletId = reference === null ? null : (await readWallet(wallets, reference)).id
        const { data, ...page } = await documentPage(documents, query, walletId)
        return { body: { data: await nameCustomers(customers, data), ...page } }
      },
    },
    ...fileEndpoints(
      { tag: 'Operators', access: 'operators.payments.read', method: 'GET' },
      { path: '/api/admin/invoices/:number', names: { page: 'getAnyInvoicePage', pdf: 'getAnyInvoicePdf' } },
      (request) => documents.findAny(referenceOf(request, 'number')),
    ),
  ]
}
