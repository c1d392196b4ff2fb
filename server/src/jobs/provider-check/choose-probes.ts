import { purposeOfKind } from '#domain/catalogue/can-charge.ts'
import type { Model } from '#domain/catalogue/model.ts'
import { type Candidate, findCandidates } from '#domain/routing/candidates.ts'
import { compareCosts } from '#domain/routing/compare-costs.ts'
import type { ProviderAccount, RoutingTable } from '#domain/routing/routing-table.ts'
import { canServe } from '#providers/codecs/can-serve.ts'
import { capabilities, type Capability } from './capabilities.ts'
import { probes } from './probes.ts'

/** A probe and its model. */
export interface ChosenProbe {
  readonly capability: Capability
  readonly candidate: Candidate
}

export interface ProbeWish {
  readonly account: ProviderAccount
  /** Null means the cheapest of each kind. */
  readonly model: string | null
  /** Empty means all capabilities except the expensive ones. */
  readonly capabilities: readonly Capability[]
}

/** The smallest requests that the catalogue's offers allow, each with the cheapest suitable model. */
export function chooseProbes(models: Iterable<Model>, table: RoutingTable, wish: ProbeWish): ChosenProbe[] {
  const candidates = [...models].flatMap((model) => candidatesOf(model, table, wish))
  return capabilities.flatMap((capability) => {
    const { kind, isDear, suits } = probes[capability]
    const isWanted = wish.capabilities.length === 0 ? isDear !== true : wish.capabilities.includes(capability)
    if (!isWanted || !canServe(wish.account.vendor, kind)) return []
    const fitting = candidates.filter((each) => purposeOfKind(each.model.kind) === kind && suits(each))
    const [cheapest] = fitting.toSorted((one, other) => compare(one, other))
    return cheapest === undefined ? [] : [{ capability, candidate: cheapest }]
  })
}

function candidatesOf(model: Model, table: RoutingTable, { account, model: wanted }: ProbeWish): Candidate[] {
  const purpose = purposeOfKind(model.kind)
  const { ordered } = findCandidates(model, table, purpose)
  return ordered.filter(
    (candidate) =>
      candidate.account.id === account.id &&
      (wanted === null || wanted === model.id || wanted === candidate.upstreamModel),
  )
}

function compare(one: Candidate, other: Candidate): number {
  const purpose = purposeOfKind(one.model.kind)
  if (purpose !== 'text') return compareCosts(one.price, other.price, purpose)
  const difference = wordPrice(one) - wordPrice(other)
  return difference === 0n ? 0 : difference < 0n ? -1 : 1
}

function wordPrice({ price: { base } }: Candidate): bigint {
  return (base.prompt ?? 0n) + (base.completion ?? 0n)
}
