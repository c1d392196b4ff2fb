import { type NanoUsd, nanoUsd } from '#domain/money/nano-usd.ts'
import { assert } from '#lib/assert.ts'
import { type Currency, currencyDecimals, type Minor, minor } from './currency.ts'
import { type ExchangeRate, rateScale } from './exchange-rate.ts'
import { shareRoundedUp } from './share-of.ts'

/** The payment channel: US dollars, or a local currency, in which tax is due. */
export const topUpChannels = ['usd', 'local'] as const
export type TopUpChannel = (typeof topUpChannels)[number]

/** Fees on top of the credit, in percent with at most two decimals. */
export interface TopUpTerms {
  readonly feePercent: number
  readonly taxPercent: number
}

export interface TopUpLine {
  readonly item: 'credit' | 'fee' | 'tax'
  readonly amount: NanoUsd
  /** Percentage of the credit; null for the credit itself. */
  readonly percent: number | null
}

export interface TopUpQuote {
  /** The credit for the wallet. */
  readonly credit: NanoUsd
  /** Whole cents each. A fee or tax of zero has no line. */
  readonly lines: readonly TopUpLine[]
  /** The total price. */
  readonly total: NanoUsd
}

/** Cards are charged whole cents, so credit, fee and tax are whole cents as well. */
export const nanoPerCent = 10_000_000n

export function isWholeCents(amount: NanoUsd): boolean {
  return amount % nanoPerCent === 0n
}

/** Quotes for an unknown buyer: tax is due in local currencies. */
export function quoteTopUp(credit: NanoUsd, channel: TopUpChannel, terms: TopUpTerms): TopUpQuote {
  return quoteLines(credit, { ...terms, taxPercent: channel === 'local' ? terms.taxPercent : 0 })
}

/**
 * Itemizes before payment: fee and tax come on top of the credit, each computed from the credit alone and rounded up to
 * a cent.
 */
export function quoteLines(credit: NanoUsd, terms: TopUpTerms): TopUpQuote {
  assert(credit > 0n, 'a top-up is more than nothing')
  assert(isWholeCents(credit), 'a top-up is whole cents')
  const { feePercent, taxPercent } = terms
  const lines: TopUpLine[] = [
    { item: 'credit', amount: credit, percent: null },
    { item: 'fee', amount: percentOf(credit, feePercent), percent: feePercent },
    { item: 'tax', amount: percentOf(credit, taxPercent), percent: taxPercent },
  ]
  const due = lines.filter(({ amount }) => amount > 0n)
  return { credit, lines: due, total: nanoUsd(due.reduce((sum, { amount }) => sum + amount, 0n)) }
}

/** Rounded up to a cent. */
export function percentOf(credit: NanoUsd, percent: number): NanoUsd {
  const cents = credit / nanoPerCent
  return nanoUsd(shareRoundedUp(cents, { of: hundredthsOf(percent), per: 10_000n }) * nanoPerCent)
}

/** Parsed from the text of the number, so that 8.1 is 810 hundredths and not 809.99…. */
function hundredthsOf(percent: number): bigint {
  const [whole = '0', decimals = ''] = String(percent).split('.')
  assert(decimals.length <= 2 && percent >= 0, 'a percentage has two decimals at most')
  return BigInt(whole) * 100n + BigInt(decimals.padEnd(2, '0'))
}

/** The amounts of a quote as charged to a card. */
export interface ChargedAmounts {
  readonly credit: Minor
  readonly fee: Minor
  readonly tax: Minor
  readonly total: Minor
}

/**
 * Converts each line of a quote to a currency, rounded up to a chargeable amount. A null rate means US dollars. Card
 * networks accept amounts of three-decimal currencies only in multiples of ten of the smallest unit.
 */
export function chargedAmounts(
  { lines }: TopUpQuote,
  { currency, rate }: { currency: Currency; rate: ExchangeRate | null },
): ChargedAmounts {
  assert((rate === null) === (currency === 'usd'), 'other currencies than US dollars have a rate')
  const ratio = {
    of: 10n ** BigInt(currencyDecimals[currency]) * (rate ?? rateScale),
    per: 1_000_000_000n * rateScale,
  }
  const step = currencyDecimals[currency] === 3 ? 10n : 1n
  const amounts = { credit: minor(0n), fee: minor(0n), tax: minor(0n) }
  for (const { item, amount } of lines) {
    amounts[item] = minor(shareRoundedUp(amount, { of: ratio.of, per: ratio.per * step }) * step)
  }
  return { ...amounts, total: minor(amounts.credit + amounts.fee + amounts.tax) }
}
