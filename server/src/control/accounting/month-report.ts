import { journalAccounts } from '#domain/accounting/accounts.ts'
import { accountChanges, resultOf } from '#domain/accounting/journal.ts'
import { formatUsd } from '#domain/money/nano-usd.ts'
import type { JsonObject } from '#lib/json.ts'
import { type CalendarMonth, dateOf, rangeOfMonth } from '#lib/utc-calendar.ts'
import type { Accounting, MonthBooks } from '#ports/accounting.ts'

/** The books of a month as they are reported and stored: every amount is exact decimal text. */
export async function reportMonth(accounting: Accounting, month: CalendarMonth): Promise<JsonObject> {
  const range = rangeOfMonth(month)
  return { month: dateOf(range.startMs).slice(0, 7), ...render(await accounting.readMonth(range)) }
}

function render({ entries, creditBefore, creditAfter, taxes }: MonthBooks): JsonObject {
  const { revenue, expenses, result } = resultOf(entries)
  return {
    revenue: formatUsd(revenue),
    expenses: formatUsd(expenses),
    result: formatUsd(result),
    deferred_credit: { before: formatUsd(creditBefore), after: formatUsd(creditAfter) },
    entries: entries.map(({ kind, provider, debit, credit, amount, count }) => ({
      kind,
      provider,
      debit: journalAccounts[debit].name,
      credit: journalAccounts[credit].name,
      amount: formatUsd(amount),
      count,
    })),
    accounts: accountChanges(entries).map(({ account, debits, credits }) => ({
      account: journalAccounts[account].name,
      type: journalAccounts[account].type,
      debits: formatUsd(debits),
      credits: formatUsd(credits),
    })),
    taxes: taxes.map(({ net, tax, ...sum }) => ({ ...sum, net: formatUsd(net), tax: formatUsd(tax) })),
  }
}
