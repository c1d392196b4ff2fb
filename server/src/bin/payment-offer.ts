import type { Config } from '#config/config-schema.ts'
import { linkOriginOf } from '#config/public-origin.ts'
import type { PaymentOffer } from '#control/payments/payment-offer.ts'
import type { Issuer } from '#domain/billing/parties.ts'
import { parseTaxRate } from '#domain/billing/tax-rates.ts'
import { nanoPerUsd, type NanoUsd, nanoUsd } from '#domain/money/nano-usd.ts'
import { type Currency, isCurrency } from '#domain/payments/currency.ts'
import { type ExchangeRate, parseRate } from '#domain/payments/exchange-rate.ts'
import { StartError } from './start-error.ts'

/** The purchase options of the configuration. */
export function paymentOfferOf({ payments, http }: Pick<Config, 'payments' | 'http'>): PaymentOffer {
  const { feePercent, taxPercent } = payments
  return {
    terms: { feePercent, taxPercent },
    taxes: new Map(payments.taxRates.map(taxRateOf)),
    rates: new Map(payments.currencies.map(rateOf)),
    creditMin: dollars(payments.topUpUsdMin),
    creditMax: dollars(payments.topUpUsdMax),
    newAccount: { days: payments.newAccountDays, creditMax: dollars(payments.newAccountUsdMax) },
    creditsUrl: creditsPageOf(http),
  }
}

/** The issuer of receipts and invoices, and the page that emails about them link to. */
export function issuerOf({ payments, http }: Pick<Config, 'payments' | 'http'>): Issuer {
  const { sellerName, sellerAddress, sellerTaxId, sellerPrefix } = payments
  const name = sellerName ?? new URL(linkOriginOf(http)).host
  const seller = { name, address: sellerAddress, taxId: sellerTaxId, prefix: sellerPrefix }
  return { seller, creditsUrl: creditsPageOf(http) }
}

function creditsPageOf(http: Config['http']): string {
  return `${linkOriginOf(http)}/console/credits`
}

/** The URL for buying credit, or null if buying is not configured. */
export function creditsUrlOf(config: Pick<Config, 'payments' | 'http'>): string | null {
  const { stripeSecretKey, epayUrl } = config.payments
  return stripeSecretKey === null && epayUrl === null ? null : paymentOfferOf(config).creditsUrl
}

function rateOf(entry: string): [Currency, ExchangeRate] {
  const [currency = '', text = ''] = entry.split('=')
  const rate = parseRate(text)
  if (!isCurrency(currency) || currency === 'usd' || rate === undefined) {
    throw new StartError(
      `payments.currencies has ${JSON.stringify(entry)}: the currency can't be charged, or its rate is missing.`,
    )
  }
  return [currency, rate]
}

function taxRateOf(entry: string): readonly [string, number] {
  const rate = parseTaxRate(entry)
  if (rate === undefined) {
    throw new StartError(
      `payments.taxRates has ${JSON.stringify(entry)}, which is not a rate such as DE=19 or DE:eu_vat=0.`,
    )
  }
  return rate
}

function dollars(whole: number): NanoUsd {
  return nanoUsd(BigInt(whole) * nanoPerUsd)
}
