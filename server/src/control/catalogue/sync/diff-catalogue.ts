import type { CatalogueRow, OfferRow, PriceRow } from '#domain/catalogue/catalogue-row.ts'
import { disputedHost, disputedPricesOf } from '#domain/catalogue/disputed-price.ts'
import { isClocked } from '#domain/money/price-clock.ts'
import type { ProposedChange } from '#ports/catalogue-proposals.ts'
import { priceLines } from './quotes.ts'

/** One difference that an import would make. */
export interface Change extends Omit<ProposedChange, 'doubt'> {
  /** Sources disagreed on this price before. */
  readonly wasDisputed?: true
  /** The provider's price depends on the time of day, and a source has only one of its prices. */
  readonly isByTheClock?: true
}

/** The changes that importing these rows would make. Other models stay unchanged. */
export function diffCatalogue(current: readonly CatalogueRow[], rows: readonly CatalogueRow[]): Change[] {
  const known = new Map(current.map((row) => [row.id, row]))
  return rows.flatMap((row) => {
    const before = known.get(row.id)
    return before === undefined ? addedModel(row) : changedModel(before, row)
  })
}

function addedModel(row: CatalogueRow): Change[] {
  const sellers = row.offers.map(hostOf).join(', ')
  const added: Change = { model: row.id, what: 'model', where: row.kind, from: null, to: sellers }
  return [
    added,
    ...differences(row, 'price', new Map(), pricesOf(row)).map(
      (change): Change =>
        billsByTheClock(change.where.split(' ')[0] ?? '') ? { ...change, isByTheClock: true } : change,
    ),
    ...differences(row, 'retirement', new Map(), retirementOf(row)),
  ]
}

function changedModel(before: CatalogueRow, row: CatalogueRow): Change[] {
  const disputed = new Set(disputedPricesOf(before.details).map(disputedHost))
  const clocked = new Set(
    before.prices.flatMap((price) => (price.rules?.some(isClocked) === true ? hostOf(price) : [])),
  )
  const prices = differences(row, 'price', pricesOf(before), pricesOf(row)).map((change): Change => {
    const host = change.where.split(' ')[0] ?? ''
    return {
      ...change,
      ...(disputed.has(host) ? { wasDisputed: true } : {}),
      ...(clocked.has(host) || billsByTheClock(host) ? { isByTheClock: true } : {}),
    }
  })
  return [
    ...differences(row, 'offer', offersOf(before), offersOf(row)),
    ...prices,
    ...differences(row, 'purchase', purchasesOf(before), purchasesOf(row)),
    ...differences(row, 'limit', limitsOf(before), limitsOf(row)),
    ...differences(row, 'retirement', retirementOf(before), retirementOf(row)),
    ...differences(row, 'field', termsOf(before), termsOf(row)),
    ...differences(row, 'field', fieldsOf(before), fieldsOf(row)),
  ]
}

/** Providers that charge more at some hours. Public sources have one price for them, often the lower one. */
function billsByTheClock(host: string): boolean {
  return host === 'deepseek'
}

type Lines = ReadonlyMap<string, string>

function differences({ id }: CatalogueRow, what: Change['what'], before: Lines, after: Lines): Change[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((where) => {
    const from = before.get(where) ?? null
    const to = after.get(where) ?? null
    return from === to ? [] : [{ model: id, what, where, from, to }]
  })
}

function hostOf({ provider, variant }: Pick<OfferRow, 'provider' | 'variant'>): string {
  return variant === '' ? provider : `${provider}/${variant}`
}

function offersOf({ offers }: CatalogueRow): Lines {
  return new Map(offers.map((offer) => [hostOf(offer), offer.upstreamModel]))
}

function pricesOf({ prices }: CatalogueRow): Lines {
  return new Map(
    prices.flatMap((price: PriceRow) => [...priceLines(price)].map(([line, usd]) => [`${hostOf(price)} ${line}`, usd])),
  )
}

function purchasesOf({ offers }: CatalogueRow): Lines {
  return new Map(
    offers.flatMap(({ purchase, ...offer }) =>
      purchase === undefined
        ? []
        : [...priceLines(purchase)].map(([line, usd]) => [`${hostOf(offer)} ${line}`, usd] satisfies [string, string]),
    ),
  )
}

function limitsOf(row: CatalogueRow): Lines {
  return new Map([...limitLines('', row), ...row.offers.flatMap((offer) => limitLines(`${hostOf(offer)} `, offer))])
}

function limitLines(host: string, limits: Pick<OfferRow, 'contextLength' | 'maxCompletionTokens'>): [string, string][] {
  const lines: [string, number | null][] = [
    [`${host}context length`, limits.contextLength],
    [`${host}max output tokens`, limits.maxCompletionTokens],
  ]
  return lines.flatMap(([line, count]) => (count === null ? [] : [[line, String(count)] satisfies [string, string]]))
}

/** The quantization and the API of each offer. */
function termsOf({ offers }: CatalogueRow): Lines {
  return new Map(
    offers.flatMap((offer) =>
      (['quantization', 'api'] as const).flatMap((term) => {
        const value = offer[term]
        return value === null ? [] : [[`${hostOf(offer)} ${term}`, value] satisfies [string, string]]
      }),
    ),
  )
}

function retirementOf({ retiresOn }: CatalogueRow): Lines {
  return new Map(retiresOn === null ? [] : [['retires on', retiresOn]])
}

const fields = [
  'name',
  'kind',
  'description',
  'inputModalities',
  'outputModalities',
  'supportedParameters',
  'defaultProvider',
  'aliases',
  'releaseDate',
  'listed',
  'details',
] as const satisfies readonly (keyof CatalogueRow)[]

function fieldsOf(row: CatalogueRow): Lines {
  return new Map(fields.map((field) => [field, JSON.stringify(row[field], sortKeys)]))
}

/** Postgres returns the keys of stored objects in its own order. */
function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1)))
}
