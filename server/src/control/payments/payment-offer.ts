import type { TaxRates } from '#domain/billing/tax-rates.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Currency } from '#domain/payments/currency.ts'
import type { ExchangeRate } from '#domain/payments/exchange-rate.ts'
import type { TopUpTerms } from '#domain/payments/quote-top-up.ts'

/** The operator's purchase options. */
export interface PaymentOffer {
  readonly terms: TopUpTerms
  /** Tax rates by the buyer's country. */
  readonly taxes: TaxRates
  /** Exchange rates of local currencies, in which tax is due. US dollars need no entry. */
  readonly rates: ReadonlyMap<Currency, ExchangeRate>
  readonly creditMin: NanoUsd
  readonly creditMax: NanoUsd
  /** The maximum daily order of an account younger than `days`. Zero days means no limit. */
  readonly newAccount: { readonly days: number; readonly creditMax: NanoUsd }
  /** The console's credits page, which payers return to. */
  readonly creditsUrl: string
}
