import { nanoUsd, type NanoUsd } from '#domain/money/nano-usd.ts'
import type { BillingMode } from './organization.ts'

export type BillingVerdict = { readonly allowed: true } | { readonly allowed: false; readonly message: string }

// A billion dollars: a longer line is a mistyped one, and balances with it still fit what Postgres calculates with.
const creditLineMax = nanoUsd(1_000_000_000_000_000_000n)

/** An organization that pays afterwards needs a credit line; one that pays before has none. */
export function judgeBilling({ billing, creditLine }: { billing: BillingMode; creditLine: NanoUsd }): BillingVerdict {
  if (billing === 'prepaid') {
    if (creditLine === 0n) return { allowed: true }
    return { allowed: false, message: 'A credit line is for monthly billing.' }
  }
  if (creditLine > 0n && creditLine <= creditLineMax) return { allowed: true }
  return { allowed: false, message: 'Monthly billing needs a credit line above zero and at most 1000000000 USD.' }
}
