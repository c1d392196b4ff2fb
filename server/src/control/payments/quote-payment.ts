import type { BillingProfile } from '#domain/billing/parties.ts'
import { taxPercentFor } from '#domain/billing/tax-rates.ts'
import { formatUsd, type NanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import { isCurrency } from '#domain/payments/currency.ts'
import { chargedAmounts, isWholeCents, quoteLines, type TopUpLine } from '#domain/payments/quote-top-up.ts'
import type { TopUp } from '#domain/payments/top-up.ts'
import { malformed } from '#errors/malformed.ts'
import type { PaymentOffer } from './payment-offer.ts'

/** The price of a top-up: in US dollars, as the ledger books it, and in the currency of the payment. */
export interface PaymentQuote extends Pick<TopUp, 'channel' | 'currency' | 'rate' | 'quoted' | 'charged' | 'percents'> {
  readonly lines: readonly TopUpLine[]
}

export interface PaymentWish {
  readonly credit: NanoUsd
  /** In lower case, such as `usd`. */
  readonly currency: string
  /** The buyer, for the tax; null if unknown. */
  readonly buyer: BillingProfile | null
}

export function quotePayment(offer: PaymentOffer, { credit, currency, buyer }: PaymentWish): PaymentQuote {
  const { creditMin, creditMax } = offer
  if (credit < creditMin || credit > creditMax) {
    throw malformed(`The amount must be from ${formatUsd(creditMin)} to ${formatUsd(creditMax)} USD.`)
  }
  if (!isWholeCents(credit)) throw malformed('The amount must be in whole cents.')
  const rate = isCurrency(currency) ? offer.rates.get(currency) : undefined
  if (!isCurrency(currency) || (rate === undefined && currency !== 'usd')) {
    throw malformed(`The currency must be one of ${['usd', ...offer.rates.keys()].join(', ')}.`)
  }
  return quoteIn(offer, { credit, channel: currency === 'usd' ? 'usd' : 'local', currency, rate: rate ?? null, buyer })
}

interface QuoteTerms extends Pick<TopUp, 'channel' | 'currency' | 'rate'>, Pick<PaymentWish, 'credit' | 'buyer'> {}

/** Quotes amounts that were already validated. */
export function quoteIn(
  { terms, taxes }: Pick<PaymentOffer, 'terms' | 'taxes'>,
  { credit, channel, currency, rate, buyer }: QuoteTerms,
): PaymentQuote {
  const taxPercent = taxPercentFor(buyer, { rates: taxes, channel, localPercent: terms.taxPercent })
  const quote = quoteLines(credit, { ...terms, taxPercent })
  const amountOf = (name: 'fee' | 'tax'): NanoUsd => quote.lines.find(({ item }) => item === name)?.amount ?? zeroUsd
  return {
    channel,
    currency,
    rate,
    quoted: { credit, fee: amountOf('fee'), tax: amountOf('tax') },
    charged: chargedAmounts(quote, { currency, rate }),
    percents: { fee: terms.feePercent, tax: taxPercent },
    lines: quote.lines,
  }
}
