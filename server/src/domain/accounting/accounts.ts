import type { LedgerAccount } from '#domain/ledger/transfer.ts'

/** An account of the journal, as an accountant knows it. */
export interface JournalAccount {
  readonly name: string
  readonly type: 'asset' | 'liability' | 'income' | 'expense'
}

/**
 * The accounts of the ledger, and two for the providers' side, which the ledger does not have. The balances of an
 * owner's customers are credit of the owner.
 */
export const journalAccounts = {
  cash: { name: 'Payments received', type: 'asset' },
  disputed: { name: 'Payments in dispute', type: 'asset' },
  wallet: { name: 'Customer credit', type: 'liability' },
  tax: { name: 'Sales tax payable', type: 'liability' },
  provider_payable: { name: 'Payable to providers', type: 'liability' },
  usage: { name: 'Usage revenue', type: 'income' },
  fees: { name: 'Top-up fees', type: 'income' },
  grants: { name: 'Promotional credit', type: 'expense' },
  losses: { name: 'Bad debts', type: 'expense' },
  processor: { name: 'Payment processing fees', type: 'expense' },
  provider_cost: { name: 'Provider cost', type: 'expense' },
} as const satisfies Record<Exclude<LedgerAccount, 'customers'> | 'provider_payable' | 'provider_cost', JournalAccount>

export type JournalAccountId = keyof typeof journalAccounts
