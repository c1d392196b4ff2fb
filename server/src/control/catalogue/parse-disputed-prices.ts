import type { DisputedPrice } from '#domain/catalogue/disputed-price.ts'
import { parseUnits } from './parse-stated-price.ts'
import type { RecordReader } from './record-reader.ts'

/**
 * What sources say of prices that they do not agree on. A provider with such a price has no other: no price of the model that
 * could stand in for it, and no offer at one.
 */
export function parseDisputedPrices(reader: RecordReader, defaultProvider: string): DisputedPrice[] {
  const disputed = reader.objects('disputed_prices').map(parseDisputed)
  for (const { provider } of disputed) {
    const isDefault = provider === defaultProvider
    if (isDefault && statesPrice(reader)) reader.note(`${reader.path}.pricing`, twice)
    for (const offer of reader.objects('offers')) {
      // Another provider without a price would be asked at the price of the model; the default provider has that one.
      if (offer.record['provider'] === provider && (!isDefault || statesPrice(offer))) offer.note(offer.path, twice)
    }
  }
  return disputed
}

const twice = 'the price of this provider is disputed as well'

function parseDisputed(reader: RecordReader): DisputedPrice {
  const quotes = reader.objects('quotes').map((quote) => ({
    source: quote.requiredText('source'),
    units: parseUnits(quote, quote.record['pricing'], `${quote.path}.pricing`),
  }))
  if (quotes.length < 2) reader.note(`${reader.path}.quotes`, 'a dispute needs two quotes')
  return { provider: reader.requiredText('provider'), quotes }
}

function statesPrice({ record }: RecordReader): boolean {
  return ['pricing', 'pricing_tiers', 'pricing_rules'].some((key) => record[key] !== undefined && record[key] !== null)
}
