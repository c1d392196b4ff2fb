import { assert } from '#lib/assert.ts'
import { type NanoUsd, nanoUsd } from './nano-usd.ts'

/** How the money comes in: in US dollars, or in a local currency, where tax is due. */
export const topUpChannels = ['usd', 'local'] as const
export type TopUpChannel = (typeof topUpChannels)[number]

export interface TopUpLine {
  readonly item: 'credit' | 'fee' | 'tax'
  readonly amount: NanoUsd
  /** Of the credit; null for the credit itself. */
  readonly percent: number | null
}

export interface TopUpQuote {
  /** What the wallet grows by. */
  readonly credit: NanoUsd
  readonly lines: readonly TopUpLine[]
  /** What the owner pays. */
  readonly total: NanoUsd
}

const feePercent = 10
const taxPercent = 5

/** Itemised before payment: fee and tax come on top of the credit, each reckoned on the credit alone. */
export function quoteTopUp(credit: NanoUsd, channel: TopUpChannel): TopUpQuote {
  assert(credit > 0n, 'a top-up is more than nothing')
  const lines: TopUpLine[] = [
    { item: 'credit', amount: credit, percent: null },
    { item: 'fee', amount: share(credit, feePercent), percent: feePercent },
  ]
  if (channel === 'local') lines.push({ item: 'tax', amount: share(credit, taxPercent), percent: taxPercent })
  return { credit, lines, total: nanoUsd(lines.reduce((sum, { amount }) => sum + amount, 0n)) }
}

// Rounded up, so that no item is ever nothing.
function share(amount: NanoUsd, percent: number): NanoUsd {
  return nanoUsd((amount * BigInt(percent) + 99n) / 100n)
}
