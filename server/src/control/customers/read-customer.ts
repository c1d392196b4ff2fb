import { readWallet } from '#control/wallets/credit-wallet.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { Customer, Customers } from '#ports/customers.ts'
import type { LedgerReads, Wallets, WalletTotals } from '#ports/ledger.ts'
import type { TopUps } from '#ports/payments.ts'
import type { TopUp } from '#domain/payments/top-up.ts'

export interface CustomerDeps {
  readonly customers: Customers
  readonly wallets: Wallets
  readonly ledger: LedgerReads
  readonly topUps: Pick<TopUps, 'list'>
}

/** A customer with its wallet and its latest orders. */
export interface CustomerView {
  readonly customer: Customer
  readonly wallet: WalletTotals
  readonly payments: readonly TopUp[]
}

const paymentsShown = 5

/** Finds a customer by its id, its wallet's id, an email address or an organization's slug. */
export async function readCustomer(deps: CustomerDeps, reference: string): Promise<CustomerView> {
  const { id: walletId } = await readWallet(deps.wallets, reference)
  const [customer, wallet, payments] = await Promise.all([
    deps.customers.find(walletId),
    deps.ledger.readWallet(walletId),
    deps.topUps.list({
      walletId,
      state: null,
      mismatched: false,
      transfers: false,
      before: null,
      limit: paymentsShown,
    }),
  ])
  if (customer === null) throw new GatewayError('notFound', { message: `Customer ${reference} not found.` })
  return { customer, wallet, payments }
}
