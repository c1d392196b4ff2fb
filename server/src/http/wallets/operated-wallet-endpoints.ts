import { readWallet } from '#control/wallets/credit-wallet.ts'
import { monthOf, rangeOfMonth } from '#lib/utc-calendar.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { LedgerReads, Wallets } from '#ports/ledger.ts'
import type { Endpoint, EndpointRequest } from '../endpoint.ts'
import { referenceOf } from '../request-values.ts'
import { renderStatement } from './render-wallet.ts'
import { listHolds, listTransactions, monthIn } from './wallet-endpoints.ts'
import {
  holdListSchema,
  holdQuerySchema,
  statementQuerySchema,
  statementSchema,
  transactionListSchema,
  transactionQuerySchema,
} from './wallet-schema.ts'

interface OperatedWalletDeps {
  readonly ledger: LedgerReads
  readonly wallets: Wallets
}

const common = { method: 'GET', tag: 'Operators', access: 'operators.customers' } as const

/** The ledger of any wallet, for operators, as its owner sees it. */
export function operatedWalletEndpoints({ ledger, wallets }: OperatedWalletDeps): Endpoint[] {
  const open = async (request: EndpointRequest): Promise<Uuid> =>
    (await readWallet(wallets, referenceOf(request, 'walletRef'))).id
  return [
    {
      ...common,
      name: 'getAnyWalletStatement',
      paths: ['/api/admin/wallets/:walletRef/statement'],
      summary: 'Get a monthly statement of any wallet',
      query: statementQuerySchema,
      reply: {
        status: 200,
        description: 'The opening and closing balance of the month, and totals by transaction kind.',
        schema: statementSchema,
      },
      errors: ['notFound', 'malformedRequest'],
      handle: async (request) => {
        const walletId = await open(request)
        const month = monthIn(request.query) ?? monthOf(request.nowMs)
        const read = await ledger.readStatement(walletId, rangeOfMonth(month))
        return { body: { data: renderStatement({ walletId, month }, read) } }
      },
    },
    {
      ...common,
      name: 'listAnyWalletTransactions',
      paths: ['/api/admin/wallets/:walletRef/transactions'],
      summary: 'List transactions of any wallet',
      query: transactionQuerySchema,
      reply: { status: 200, description: 'A page of transactions, newest first.', schema: transactionListSchema },
      errors: ['notFound', 'malformedRequest'],
      handle: async (request) => listTransactions(ledger, await open(request), request.query),
    },
    {
      ...common,
      name: 'listAnyWalletHolds',
      paths: ['/api/admin/wallets/:walletRef/holds'],
      summary: 'List open holds of any wallet',
      query: holdQuerySchema,
      reply: {
        status: 200,
        description: 'A page of holds for requests in progress, newest first.',
        schema: holdListSchema,
      },
      errors: ['notFound', 'malformedRequest'],
      handle: async (request) => listHolds(ledger, await open(request), request.query),
    },
  ]
}
