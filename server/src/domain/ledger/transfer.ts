import { assert } from '#lib/assert.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { TopUpQuote } from '#domain/money/quote-top-up.ts'

/** `wallet` is what the owner has; the others are the service's side of the same wallet. */
export type LedgerAccount = 'cash' | 'wallet' | 'usage' | 'fees' | 'tax' | 'grants'
export type TransferKind = 'charge' | 'top_up' | 'fee' | 'tax' | 'grant' | 'correction'

/** One move from the debited to the credited account. Both sides have the same amount, so the sum is always zero. */
export interface Transfer {
  readonly kind: TransferKind
  readonly debit: LedgerAccount
  readonly credit: LedgerAccount
  readonly amount: NanoUsd
}

/** Each line of a top-up is paid in cash; only the credit reaches the wallet. */
export function topUpTransfers(quote: TopUpQuote): Transfer[] {
  return quote.lines.map(({ item, amount }): Transfer => {
    assert(amount > 0n, 'a transfer moves something')
    switch (item) {
      case 'credit':
        return { kind: 'top_up', debit: 'cash', credit: 'wallet', amount }
      case 'fee':
        return { kind: 'fee', debit: 'cash', credit: 'fees', amount }
      case 'tax':
        return { kind: 'tax', debit: 'cash', credit: 'tax', amount }
    }
  })
}

/** Credit that was not paid for. */
export function grantTransfers(amount: NanoUsd): Transfer[] {
  assert(amount > 0n, 'a transfer moves something')
  return [{ kind: 'grant', debit: 'grants', credit: 'wallet', amount }]
}
