import type { DisputedPrice } from '#domain/catalogue/disputed-price.ts'
import { parseUnits } from './parse-stated-price.ts'
import type { RecordReader } from './record-reader.ts'

/**
 * Prices that sources disagree on. A provider, or a region of it, with a disputed price has no other price: the model's
 * price does not replace it, and the catalogue has no offer for it.
 */
export function parseDisputedPrices(reader: RecordReader, defaultProvider: string): DisputedPrice[] {
  const disputed = reader.objects('disputed_prices').map(parseDisputed)
  for (const { provider, region } of disputed) {
    const isDefault = provider === defaultProvider && region === undefined
    if (isDefault && statesPrice(reader)) reader.note(`${reader.path}.pricing`, twice)
    for (const offer of reader.objects('offers')) {
      // A provider with a disputed price must not also be an offer without a price, because it would be used at the
      // model's price. The default provider may be such an offer, because the model's price is its own.
      const isThere =
        offer.record['provider'] === provider && (region ?? offer.record['region']) === offer.record['region']
      if (isThere && (!isDefault || statesPrice(offer))) offer.note(offer.path, twice)
    }
  }
  return disputed
}

const twice = 'this provider is also listed with a disputed price'

function parseDisputed(reader: RecordReader): DisputedPrice {
  const quotes = reader.objects('quotes').map((quote) => ({
    source: quote.requiredText('source'),
    units: parseUnits(quote, quote.record['pricing'], `${quote.path}.pricing`),
  }))
  if (quotes.length < 2) reader.note(`${reader.path}.quotes`, 'a dispute needs two quotes')
  const region = reader.text('region')
  return { provider: reader.requiredText('provider'), ...(region === null ? {} : { region }), quotes }
}

function statesPrice({ record }: RecordReader): boolean {
  return ['pricing', 'pricing_tiers', 'pricing_rules'].some((key) => record[key] !== undefined && record[key] !== null)
}
