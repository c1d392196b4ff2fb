import type { Config } from '#config/config-schema.ts'
import { linkOriginOf } from '#config/public-origin.ts'
import type { PaymentOffer } from '#control/payments/payment-offer.ts'
import { nanoPerUsd, type NanoUsd, nanoUsd } from '#domain/money/nano-usd.ts'
import { type Currency, isCurrency } from '#domain/payments/currency.ts'
import { type ExchangeRate, parseRate } from '#domain/payments/exchange-rate.ts'
import { StartError } from './start-error.ts'

/** What the configuration lets people buy. */
export function paymentOfferOf({ payments, http }: Pick<Config, 'payments' | 'http'>): PaymentOffer {
  const { feePercent, taxPercent } = payments
  return {
    terms: { feePercent, taxPercent },
    rates: new Map(payments.currencies.map(rateOf)),
    creditMin: dollars(payments.topUpUsdMin),
    creditMax: dollars(payments.topUpUsdMax),
    newAccount: { days: payments.newAccountDays, creditMax: dollars(payments.newAccountUsdMax) },
    creditsUrl: `${linkOriginOf(http)}/console/credits`,
  }
}

/** Where people buy credit; null where they cannot. */
export function creditsUrlOf(config: Pick<Config, 'payments' | 'http'>): string | null {
  const { stripeSecretKey, epayUrl } = config.payments
  return stripeSecretKey === null && epayUrl === null ? null : paymentOfferOf(config).creditsUrl
}

function rateOf(entry: string): [Currency, ExchangeRate] {
  const [currency = '', text = ''] = entry.split('=')
  const rate = parseRate(text)
  if (!isCurrency(currency) || currency === 'usd' || rate === undefined) {
    throw new StartError(
      `payments.currencies has ${JSON.stringify(entry)}: a currency that cannot be charged, or no rate.`,
    )
  }
  return [currency, rate]
}

function dollars(whole: number): NanoUsd {
  return nanoUsd(BigInt(whole) * nanoPerUsd)
}
