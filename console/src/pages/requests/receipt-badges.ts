import type { Receipt } from './receipt-query.ts'

interface ReceiptBadge {
  readonly text: string
  readonly tone?: 'warn' | 'accent'
  readonly hint?: string
}

const implausible =
  'The provider reported more usage than this request could have. You pay at most for the hold and the delivered output.'

/** One badge for each special condition of a request. */
export function receiptBadges(
  receipt: Pick<Receipt, 'is_failover' | 'is_byok' | 'cancelled' | 'usage_doubted' | 'cache' | 'cached_from'>,
): readonly ReceiptBadge[] {
  const badges: readonly (readonly [boolean | undefined, ReceiptBadge])[] = [
    [receipt.is_failover, { text: 'Failover', tone: 'warn' }],
    [receipt.is_byok, { text: 'Own provider key', tone: 'accent' }],
    [
      receipt.cache === 'hit',
      { text: 'From cache', tone: 'accent', hint: `The cached answer of ${receipt.cached_from}.` },
    ],
    [receipt.cancelled, { text: 'Client disconnected' }],
    [receipt.usage_doubted, { text: 'Implausible usage', tone: 'warn', hint: implausible }],
  ]
  return badges.filter(([holds]) => holds === true).map(([, badge]) => badge)
}
