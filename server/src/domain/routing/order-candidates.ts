import type { PricedKind } from '#domain/money/price-list.ts'
import type { Candidate } from './candidates.ts'
import { compareCosts } from './compare-costs.ts'
import type { Excluded } from './explanation.ts'
import { judgeCandidate } from './judge-candidate.ts'
import type { Measurements } from './measurements.ts'
import { noPreferences, type Preferences, type SortBy } from './preferences.ts'

interface OrderRequest {
  /** In the default order, without preferences. */
  readonly found: readonly Candidate[]
  readonly preferences: Preferences
  /** Requested parameters that not every provider supports. */
  readonly parameters: readonly string[]
  readonly measurements: Measurements
  /** The kind of output per model; text if missing. */
  readonly purposeOf?: PurposeOf
}

type PurposeOf = (candidate: Candidate) => PricedKind

const wordsOnly: PurposeOf = () => 'text'

/** The candidates that match a client's preferences, in the order of attempts, and why the others are excluded. */
export function orderCandidates(request: OrderRequest): { candidates: readonly Candidate[]; excluded: Excluded[] } {
  const { preferences, measurements, purposeOf = wordsOnly } = request
  if (preferences === noPreferences) return { candidates: request.found, excluded: [] }
  const excluded: Excluded[] = []
  const left: Candidate[] = []
  for (const candidate of request.found) {
    const rule = judgeCandidate(candidate, preferences, {
      parameters: request.parameters,
      purpose: purposeOf(candidate),
    })
    if (rule === null) left.push(candidate)
    else excluded.push({ model: candidate.model.id, provider: candidate.account.vendor, rule })
  }
  const sorted =
    preferences.sort === null ? left : sortBy(left, preferences.sort, preferences, { measurements, purposeOf })
  const ordered = namedFirst(sorted, preferences.order)
  if (preferences.allowFallbacks) return { candidates: ordered, excluded }
  for (const { model, account } of ordered.slice(1)) {
    excluded.push({ model: model.id, provider: account.vendor, rule: 'allow_fallbacks' })
  }
  return { candidates: ordered.slice(0, 1), excluded }
}

/** Models stay in their order unless the client sorts across them; within one model, the best provider comes first. */
function sortBy(
  candidates: readonly Candidate[],
  sort: SortBy,
  { sortsAcrossModels }: Preferences,
  { measurements, purposeOf }: { measurements: Measurements; purposeOf: PurposeOf },
): Candidate[] {
  const models = [...new Set(candidates.map(({ model }) => model.id))]
  const place = (candidate: Candidate): number => (sortsAcrossModels ? 0 : models.indexOf(candidate.model.id))
  const cost = sort === 'price' ? priceRank(candidates, purposeOf) : measuredRank(candidates, sort, measurements)
  return candidates.toSorted((one, other) => place(one) - place(other) || cost(one) - cost(other))
}

/** Text by input price, then by output price; everything else by the cost of a usual request. */
function priceRank(candidates: readonly Candidate[], purposeOf: PurposeOf): (candidate: Candidate) => number {
  const compare = (one: Candidate, other: Candidate): number => comparePrices(one, other, purposeOf)
  const byPrice = candidates.toSorted(compare)
  const ranks = new Map<Candidate, number>()
  byPrice.forEach((candidate, index) => {
    const before = byPrice[index - 1]
    const isSame = before !== undefined && compare(before, candidate) === 0
    ranks.set(candidate, isSame ? (ranks.get(before) ?? index) : index)
  })
  return (candidate) => ranks.get(candidate) ?? candidates.length
}

function comparePrices(first: Candidate, second: Candidate, purposeOf: PurposeOf): number {
  const [purpose, others] = [purposeOf(first), purposeOf(second)]
  const [one, other] = [first.price, second.price]
  if (purpose === others && purpose !== 'text') return compareCosts(one, other, purpose)
  const prompt = (one.base.prompt ?? 0n) - (other.base.prompt ?? 0n)
  const difference = prompt === 0n ? (one.base.completion ?? 0n) - (other.base.completion ?? 0n) : prompt
  return difference === 0n ? 0 : difference < 0n ? -1 : 1
}

/**
 * Smaller is better. A provider without measurements counts as average: it is neither preferred for being unknown nor
 * kept from being measured.
 */
function measuredRank(
  candidates: readonly Candidate[],
  sort: 'latency' | 'throughput',
  measurements: Measurements,
): (candidate: Candidate) => number {
  const figures = new Map<Candidate, number>()
  for (const candidate of candidates) {
    const { latencyMs, tokensPerSecond } = measurements(candidate)
    const figure = sort === 'latency' ? latencyMs?.median : tokensPerSecond && -tokensPerSecond.median
    if (figure !== undefined && figure !== null) figures.set(candidate, figure)
  }
  const known = [...figures.values()].toSorted((one, other) => one - other)
  const middle = known[Math.floor((known.length - 1) / 2)] ?? 0
  return (candidate) => figures.get(candidate) ?? middle
}

function namedFirst(candidates: readonly Candidate[], order: readonly string[]): readonly Candidate[] {
  if (order.length === 0) return candidates
  const place = ({ account }: Candidate): number => {
    const index = order.indexOf(account.vendor)
    return index === -1 ? order.length : index
  }
  return candidates.toSorted((one, other) => place(one) - place(other))
}
