import type { TransferKind } from '#domain/ledger/transfer.ts'
import { type NanoUsd, nanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import { type JournalAccountId, journalAccounts } from './accounts.ts'

/** The sum of all bookings of a month from one account to another. */
export interface JournalEntry {
  readonly kind: TransferKind | 'provider_cost'
  /** Of a provider cost. */
  readonly provider: string | null
  readonly debit: JournalAccountId
  readonly credit: JournalAccountId
  readonly amount: NanoUsd
  readonly count: number
}

/** The change of one account in the month: debits less credits, so that all changes sum to zero. */
export interface AccountChange {
  readonly account: JournalAccountId
  readonly debits: NanoUsd
  readonly credits: NanoUsd
}

/** What a month earned and cost. */
export interface MonthResult {
  readonly revenue: NanoUsd
  readonly expenses: NanoUsd
  readonly result: NanoUsd
}

/** Each account that the entries touch, in the order of the chart. */
export function accountChanges(entries: readonly JournalEntry[]): AccountChange[] {
  const accounts = Object.keys(journalAccounts) as JournalAccountId[]
  return accounts.flatMap((account) => {
    const debits = sumOf(entries.filter(({ debit }) => debit === account))
    const credits = sumOf(entries.filter(({ credit }) => credit === account))
    return debits === 0n && credits === 0n ? [] : [{ account, debits, credits }]
  })
}

export function resultOf(entries: readonly JournalEntry[]): MonthResult {
  const changes = accountChanges(entries)
  const revenue = netOf(changes, 'income')
  const expenses = nanoUsd(-netOf(changes, 'expense'))
  return { revenue, expenses, result: nanoUsd(revenue - expenses) }
}

/** Credits less debits of all accounts of a type. */
function netOf(changes: readonly AccountChange[], type: 'income' | 'expense'): NanoUsd {
  let net = 0n
  for (const { account, debits, credits } of changes) {
    if (journalAccounts[account].type === type) net += credits - debits
  }
  return nanoUsd(net)
}

function sumOf(entries: readonly JournalEntry[]): NanoUsd {
  return entries.reduce((sum, { amount }) => nanoUsd(sum + amount), zeroUsd)
}
