import type { TaxRates } from '#domain/billing/tax-rates.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Currency } from '#domain/payments/currency.ts'
import type { ExchangeRate } from '#domain/payments/exchange-rate.ts'
import type { TopUpTerms } from '#domain/payments/quote-top-up.ts'

/** What an operator lets people buy. */
export interface PaymentOffer {
  readonly terms: TopUpTerms
  /** Where a buyer's country has a tax of its own. */
  readonly taxes: TaxRates
  /** Local currencies, where tax is due. US dollars need no entry. */
  readonly rates: ReadonlyMap<Currency, ExchangeRate>
  readonly creditMin: NanoUsd
  readonly creditMax: NanoUsd
  /** How much a person whose account is younger than so many days may order in a day; zero days: any amount. */
  readonly newAccount: { readonly days: number; readonly creditMax: NanoUsd }
  /** The console's page for credit. A payer comes back there. */
  readonly creditsUrl: string
}
