import { canCharge } from '#domain/catalogue/can-charge.ts'
import { isFreeEntry, type Model, type Offer, type UpstreamApi } from '#domain/catalogue/model.ts'
import type { PricedKind, PriceList } from '#domain/money/price-list.ts'
import { noDiscount, type Purchase } from '#domain/money/provider-cost.ts'
import { compareCosts } from './compare-costs.ts'
import { offerFor } from './offer-for.ts'
import type { ProviderAccount, Route, RoutingTable } from './routing-table.ts'

/** One way to serve a request: a model, a provider account, the upstream's name for it, and a price. */
export interface Candidate {
  readonly model: Model
  readonly account: ProviderAccount
  readonly upstreamModel: string
  readonly price: PriceList
  readonly maxCompletionTokens: number | null
  readonly quantization: string | null
  readonly billing: Billing
  /** The price of a kept answer, in percent of the list price; missing for all others. */
  readonly hitPricePercent?: number
  /** What the operator pays for it; missing if that is the price. */
  readonly purchase?: Purchase
  /** The API to use; missing for the vendor's default one. */
  readonly api?: UpstreamApi
  /** The priority of its route; missing if it was found without a route. */
  readonly priority?: number
}

/** How its responses are charged: at list price, not at all, by the vendor to the organization, or as kept answers. */
export type Billing = 'charged' | 'free' | 'test' | 'own_key' | 'cached'

interface Candidates {
  readonly ordered: readonly Candidate[]
  /** Providers that would serve it but have no price. */
  readonly unpriced: readonly string[]
}

/**
 * The most specific pattern with routes decides: the model's id, then its author's wildcard, then `*`. Without any, all
 * accounts whose vendor sells the model are used, the listing's default provider first, then by price.
 */
export function findCandidates(model: Model, table: RoutingTable, purpose: PricedKind = 'text'): Candidates {
  const routes =
    table.routes.get(model.id) ?? table.routes.get(`${model.author}/*`) ?? table.routes.get('*') ?? undefined
  const choices =
    routes === undefined ? fromOffers(model, table, purpose) : routes.map((route) => fromRoute(model, route))
  const ordered: Candidate[] = []
  const unpriced: string[] = []
  for (const choice of choices) {
    const { price } = choice
    if (price !== null && canCharge(model, price, purpose)) ordered.push({ ...choice, price })
    else unpriced.push(choice.account.vendor)
  }
  return { ordered, unpriced }
}

type Choice = Omit<Candidate, 'price'> & { price: PriceList | null }

function fromRoute(model: Model, route: Route): Choice {
  const offer = offerFor(model, route.account)
  return {
    model,
    account: route.account,
    upstreamModel: route.upstreamModel ?? offer?.upstreamModel ?? model.upstreamModel ?? nameOf(model.id),
    price: offer?.price ?? model.price,
    maxCompletionTokens: offer?.maxCompletionTokens ?? model.maxCompletionTokens,
    quantization: offer?.quantization ?? null,
    billing: billingOf(model),
    ...purchaseOf(offer, route.account),
    ...apiOf(offer, route.account),
    priority: route.priority,
  }
}

function fromOffers(model: Model, table: RoutingTable, purpose: PricedKind): Choice[] {
  const choices: Choice[] = []
  for (const account of table.accounts) {
    const offer = offerFor(model, account)
    if (offer === undefined && account.vendor !== model.defaultProvider) continue
    choices.push({
      model,
      account,
      upstreamModel: offer?.upstreamModel ?? model.upstreamModel ?? nameOf(model.id),
      price: offer?.price ?? model.price,
      maxCompletionTokens: offer?.maxCompletionTokens ?? model.maxCompletionTokens,
      quantization: offer?.quantization ?? null,
      billing: billingOf(model),
      ...purchaseOf(offer, account),
      ...apiOf(offer, account),
    })
  }
  const own = (choice: Choice): number => (choice.account.vendor === model.defaultProvider ? 0 : 1)
  return choices.sort((one, other) => own(one) - own(other) || comparePrices(one.price, other.price, purpose))
}

function purchaseOf(offer: Offer | undefined, { discountPpm = noDiscount }: ProviderAccount): { purchase?: Purchase } {
  const price = offer?.purchase
  if (price === undefined && discountPpm === noDiscount) return {}
  return { purchase: { ...(price === undefined ? {} : { price }), discountPpm } }
}

/** A model that is sold through one API only cannot use another, whatever the operator prefers. */
export function apiOf(offer: Offer | undefined, account: ProviderAccount): { api?: UpstreamApi } {
  const api = offer?.api ?? account.api
  return api === undefined ? {} : { api }
}

function billingOf(model: Model): Billing {
  return isFreeEntry(model) ? 'free' : 'charged'
}

function nameOf(id: string): string {
  return id.slice(id.indexOf('/') + 1)
}

function comparePrices(one: PriceList | null, other: PriceList | null, purpose: PricedKind): number {
  if (purpose !== 'text') return compareCosts(one, other, purpose)
  const difference = (one?.base.completion ?? 0n) - (other?.base.completion ?? 0n)
  return difference === 0n ? 0 : difference < 0n ? -1 : 1
}
