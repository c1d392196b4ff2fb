import { exactUsd, type ExactNumber, toNano } from './money.ts'

/** The rule of a field for an optional amount in USD. */
export const budgetRule = {
  pattern: { value: /^\s*(?:\d{1,9}(?:\.\d{1,9})?)?\s*$/, message: 'Enter an amount, such as 25 or 12.50.' },
}

/** The text of such a field: every digit, or nothing for no amount. */
export function usdText(usd: ExactNumber | null): string {
  return usd === null ? '' : exactUsd(toNano(usd))
}
