import type { Model, Offer } from '#domain/catalogue/model.ts'
import { isPriced, type PriceList } from '#domain/money/price-list.ts'
import type { ProviderAccount, Route, RoutingTable } from './routing-table.ts'

/** One way of serving a request: whom to ask, under which name, at which price. */
export interface Candidate {
  readonly account: ProviderAccount
  readonly upstreamModel: string
  readonly price: PriceList
  readonly maxCompletionTokens: number | null
}

export interface Candidates {
  readonly ordered: readonly Candidate[]
  /** Candidates that exist but can not be charged for. */
  readonly unpriced: number
}

/**
 * The most specific pattern that has routes decides: the model's id, then its author's wildcard, then `*`. Without any,
 * the accounts whose vendor sells the model are used, the listing's own provider first, then by price.
 */
export function findCandidates(model: Model, table: RoutingTable): Candidates {
  const routes =
    table.routes.get(model.id) ?? table.routes.get(`${model.author}/*`) ?? table.routes.get('*') ?? undefined
  const choices = routes === undefined ? fromOffers(model, table) : routes.map((route) => fromRoute(model, route))
  const ordered: Candidate[] = []
  for (const choice of choices) {
    const { price } = choice
    if (price !== null && isPriced(price)) ordered.push({ ...choice, price })
  }
  return { ordered, unpriced: choices.length - ordered.length }
}

type Choice = Omit<Candidate, 'price'> & { price: PriceList | null }

function fromRoute(model: Model, route: Route): Choice {
  const offer = offerOf(model, route.account.vendor)
  return {
    account: route.account,
    upstreamModel: route.upstreamModel ?? offer?.upstreamModel ?? model.upstreamModel ?? nameOf(model.id),
    price: offer?.price ?? model.price,
    maxCompletionTokens: offer?.maxCompletionTokens ?? model.maxCompletionTokens,
  }
}

function fromOffers(model: Model, table: RoutingTable): Choice[] {
  const choices: Choice[] = []
  for (const account of table.accounts) {
    const offer = offerOf(model, account.vendor)
    if (offer === undefined && account.vendor !== model.defaultProvider) continue
    choices.push({
      account,
      upstreamModel: offer?.upstreamModel ?? model.upstreamModel ?? nameOf(model.id),
      price: offer?.price ?? model.price,
      maxCompletionTokens: offer?.maxCompletionTokens ?? model.maxCompletionTokens,
    })
  }
  const own = (choice: Choice): number => (choice.account.vendor === model.defaultProvider ? 0 : 1)
  return choices.sort((one, other) => own(one) - own(other) || comparePrices(one.price, other.price))
}

function offerOf(model: Model, vendor: string): Offer | undefined {
  return model.offers.find((offer) => offer.provider === vendor)
}

function nameOf(id: string): string {
  return id.slice(id.indexOf('/') + 1)
}

function comparePrices(one: PriceList | null, other: PriceList | null): number {
  const difference = (one?.base.completion ?? 0n) - (other?.base.completion ?? 0n)
  return difference === 0n ? 0 : difference < 0n ? -1 : 1
}
