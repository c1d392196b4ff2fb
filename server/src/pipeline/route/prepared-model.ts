import type { Model } from '#domain/catalogue/model.ts'
import type { PricedKind, PriceList } from '#domain/money/price-list.ts'
import { pricesAt } from '#domain/money/price-clock.ts'
import { type Candidate, findCandidates } from '#domain/routing/candidates.ts'
import type { Excluded, ExplainedCandidate, RoutingExplanation } from '#domain/routing/explanation.ts'
import type { RoutingTable } from '#domain/routing/routing-table.ts'
import { testCandidate } from '#domain/test-models/test-candidate.ts'
import { oncePer } from '#lib/once-per.ts'
import { canServe } from '#providers/codecs/can-serve.ts'

/**
 * What a model, a routing table and a purpose determine, for every client. It is computed once and shared by all
 * requests, so its candidates stay the same objects: whatever depends on a candidate alone is computed once too.
 */
export interface PreparedModel {
  /** Those that can serve the purpose and have a price, in the default order. */
  readonly candidates: readonly Candidate[]
  /** Why the other offers are left out. */
  readonly excluded: readonly Excluded[]
  /** The explanation of a request that takes the candidates as they are. */
  readonly explanation: RoutingExplanation
}

export function prepareModel(model: Model, table: RoutingTable, purpose: PricedKind): PreparedModel {
  const known = preparedFor(table)(model)
  return (known[purpose] ??= prepare(model, table, purpose))
}

type ByPurpose = Partial<Record<PricedKind, PreparedModel>>

const preparedFor = oncePer((_table: RoutingTable) => oncePer((_model: Model): ByPurpose => ({})))

function prepare(model: Model, table: RoutingTable, purpose: PricedKind): PreparedModel {
  const { ordered, unpriced } = model.author === 'test' ? played(model) : findCandidates(model, table, purpose)
  const isAble = (candidate: Candidate): boolean => canServe(candidate.account.vendor, purpose, candidate)
  const candidates = model.author === 'test' ? ordered : ordered.filter(isAble)
  const unfit = ordered.filter((candidate) => !candidates.includes(candidate)).map(({ account }) => account.vendor)
  const excluded: Excluded[] = [
    ...unpriced.map((provider) => ({ model: model.id, provider, rule: 'no_price' }) as const),
    ...unfit.map((provider) => ({ model: model.id, provider, rule: 'unfit' }) as const),
  ]
  return { candidates, excluded, explanation: { candidates: candidates.map(explain), excluded, autoTier: null } }
}

function played(model: Model): ReturnType<typeof findCandidates> {
  return { ordered: [testCandidate(model)], unpriced: [] }
}

/** A candidate as explanations show it. */
export const explain = oncePer(({ model, account, billing, price }: Candidate): ExplainedCandidate => {
  const named = { model: model.id, provider: account.vendor }
  return billing === 'charged' ? { ...named, priceId: price.id } : named
})

/** The candidate with the price that applies at a time. */
export function pricedAt(candidate: Candidate, atMs: number): Candidate {
  const price = pricesAt(candidate.price, atMs)
  return price === candidate.price ? candidate : repriced(candidate)(price)
}

const repriced = oncePer((candidate: Candidate) => oncePer((price: PriceList): Candidate => ({ ...candidate, price })))
