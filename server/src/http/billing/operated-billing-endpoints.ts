import { readWallet } from '#control/wallets/credit-wallet.ts'
import type { BillingDocuments } from '#ports/billing.ts'
import type { Wallets } from '#ports/ledger.ts'
import type { Endpoint } from '../endpoint.ts'
import { textOf } from '../request-values.ts'
import { documentPage } from './billing-endpoints.ts'
import { documentListSchema, operatedDocumentQuerySchema } from './billing-schema.ts'

interface OperatedBillingDeps {
  readonly documents: BillingDocuments
  readonly wallets: Wallets
}

/** Receipts and invoices for operators. */
export function operatedBillingEndpoints({ documents, wallets }: OperatedBillingDeps): Endpoint[] {
  return [
    {
      name: 'listAllInvoices',
      method: 'GET',
      tag: 'Operators',
      access: 'operators.payments',
      paths: ['/api/admin/invoices'],
      summary: 'List documents of all wallets',
      query: operatedDocumentQuerySchema,
      reply: {
        status: 200,
        description: 'A page of receipts, credit notes and invoices, newest first.',
        schema: documentListSchema,
      },
      errors: ['notFound', 'malformedRequest'],
      handle: async ({ query }) => {
        const reference = textOf(query, 'wallet')
        const walletId = reference === null ? null : (await readWallet(wallets, reference)).id
        return { body: await documentPage(documents, query, walletId) }
      },
    },
  ]
}
