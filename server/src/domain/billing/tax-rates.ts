import type { TopUpChannel } from '../payments/quote-top-up.ts'
import type { BillingProfile } from './parties.ts'

/** Rates in percent by country, or by country and kind of tax id: `DE` and `DE:eu_vat`. */
export type TaxRates = ReadonlyMap<string, number>

const form = /^([A-Za-z]{2})(?::([a-z][a-z0-9_]{0,29}))?=(\d{1,2}(?:\.\d{1,2})?|100)$/

/** Parses an entry such as `DE=19` or `DE:eu_vat=0`. Undefined if it is invalid. */
export function parseTaxRate(entry: string): readonly [place: string, percent: number] | undefined {
  const [, country, kind, percent] = form.exec(entry) ?? []
  if (country === undefined || percent === undefined) return undefined
  const place = country.toUpperCase()
  return [kind === undefined ? place : `${place}:${kind}`, Number(percent)]
}

/**
 * The rate for a buyer: that of the country and the kind of tax id, else that of the country. A country without a rate
 * has the channel's rate: the default rate for local currencies, none in US dollars.
 */
export function taxPercentFor(
  buyer: Pick<BillingProfile, 'country' | 'taxId'> | null,
  { rates, channel, localPercent }: { rates: TaxRates; channel: TopUpChannel; localPercent: number },
): number {
  const country = buyer?.country ?? ''
  const exact = buyer?.taxId == null ? undefined : rates.get(`${country}:${buyer.taxId.kind}`)
  return exact ?? rates.get(country) ?? (channel === 'local' ? localPercent : 0)
}
