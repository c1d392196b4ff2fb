import { isFreeEntry, type Model } from '#domain/catalogue/model.ts'
import { isPriced, type PricedKind, type PriceList } from '#domain/money/price-list.ts'
import { offerFor } from './offer-for.ts'
import type { ProviderAccount, Route, RoutingTable } from './routing-table.ts'

/** One way of serving a request: which model, whom to ask for it, under which name, at which price. */
export interface Candidate {
  readonly model: Model
  readonly account: ProviderAccount
  readonly upstreamModel: string
  readonly price: PriceList
  readonly maxCompletionTokens: number | null
  readonly quantization: string | null
  readonly billing: Billing
  /** Its route's; hosts found without a route have none. */
  readonly priority?: number
}

/** Whether its answers are charged: at the list price, not at all, or by the vendor to the organization itself. */
export type Billing = 'charged' | 'free' | 'test' | 'own_key'

export interface Candidates {
  readonly ordered: readonly Candidate[]
  /** Providers that would serve it but can not be charged for. */
  readonly unpriced: readonly string[]
}

/**
 * The most specific pattern that has routes decides: the model's id, then its author's wildcard, then `*`. Without any,
 * the accounts whose vendor sells the model are used, the listing's own provider first, then by price.
 */
export function findCandidates(model: Model, table: RoutingTable, purpose: PricedKind = 'text'): Candidates {
  const routes =
    table.routes.get(model.id) ?? table.routes.get(`${model.author}/*`) ?? table.routes.get('*') ?? undefined
  const choices = routes === undefined ? fromOffers(model, table) : routes.map((route) => fromRoute(model, route))
  const ordered: Candidate[] = []
  const unpriced: string[] = []
  for (const choice of choices) {
    const { price } = choice
    if (price !== null && isPriced(price, purpose)) ordered.push({ ...choice, price })
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
    priority: route.priority,
  }
}

function fromOffers(model: Model, table: RoutingTable): Choice[] {
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
    })
  }
  const own = (choice: Choice): number => (choice.account.vendor === model.defaultProvider ? 0 : 1)
  return choices.sort((one, other) => own(one) - own(other) || comparePrices(one.price, other.price))
}

function billingOf(model: Model): Billing {
  return isFreeEntry(model) ? 'free' : 'charged'
}

function nameOf(id: string): string {
  return id.slice(id.indexOf('/') + 1)
}

function comparePrices(one: PriceList | null, other: PriceList | null): number {
  const difference = leadingPrice(one) - leadingPrice(other)
  return difference === 0n ? 0 : difference < 0n ? -1 : 1
}

/** The price that most of a bill will be, whatever is made. */
function leadingPrice(list: PriceList | null): bigint {
  const { base = {} } = list ?? {}
  return base.completion ?? base.per_image_output ?? base.per_second_input ?? base.per_character ?? base.prompt ?? 0n
}
