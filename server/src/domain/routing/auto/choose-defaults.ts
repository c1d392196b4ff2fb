import { lifeCycleAt } from '#domain/catalogue/life-cycle.ts'
import { isFreeEntry, type Model } from '#domain/catalogue/model.ts'
import { isPriced } from '#domain/money/price-list.ts'
import { tierModelsMax } from './auto-tables.ts'
import type { AutoTable, AutoTier } from './tiers.ts'

/**
 * A tier's requirements for its models, and where in the price range they start: 0 is the cheapest, 1 the most
 * expensive.
 */
interface DefaultRule {
  readonly fits: (model: Model) => boolean
  readonly from: number
}

const rules: Readonly<Record<AutoTier, DefaultRule>> = {
  simple: { fits: isChat, from: 0 },
  standard: { fits: isChat, from: 0.4 },
  complex: { fits: isChat, from: 0.7 },
  reasoning: { fits: (model) => isChat(model) && supports(model, 'reasoning'), from: 0.6 },
  coding: { fits: (model) => isChat(model) && supports(model, 'tools') && hasRoom(model), from: 0.6 },
  vision: { fits: (model) => isChat(model) && model.inputModalities.includes('image'), from: 0.4 },
  image: { fits: (model) => model.outputModalities.includes('image'), from: 0.4 },
  video: { fits: (model) => isChat(model) && model.inputModalities.includes('video'), from: 0.4 },
  data: { fits: (model) => isChat(model) && supports(model, 'structured_outputs'), from: 0.5 },
  search: { fits: (model) => isChat(model) && supports(model, 'tools'), from: 0.4 },
  social: { fits: isChat, from: 0.4 },
  email: { fits: isChat, from: 0.3 },
  calendar: { fits: (model) => isChat(model) && supports(model, 'tools'), from: 0.3 },
  trading: { fits: (model) => isChat(model) && supports(model, 'tools'), from: 0.6 },
}

// A text-only model cannot serve a request with image input or output; for other tiers any default is better than none.
const strictTiers: ReadonlySet<AutoTier> = new Set(['vision', 'image'])

/**
 * Chooses the default models of a tier: capable models from a position in the price range upwards, with at most two of
 * an author among the first. Free models have no prices, so the newest come first.
 */
export function chooseDefaults(
  { table, tier }: { table: AutoTable; tier: AutoTier },
  models: Iterable<Model>,
  nowMs: number,
): string[] {
  const { fits, from } = rules[tier]
  const callable = [...models].filter((model) => isCallable(model, table, nowMs))
  const able = callable.filter(fits)
  const left = able.length > 0 || strictTiers.has(tier) ? able : callable.filter(isChat)
  const sorted = left.toSorted(table === 'paid' ? byPrice : byAge)
  const start = table === 'paid' ? Math.floor(sorted.length * from) : 0
  const upwards = [...sorted.slice(start), ...sorted.slice(0, start).toReversed()]
  const few = upwards.filter((model, index) => isOfFew(model, upwards.slice(0, index)))
  return [...new Set([...few, ...upwards])].slice(0, tierModelsMax).map(({ id }) => id)
}

function isCallable(model: Model, table: AutoTable, nowMs: number): boolean {
  if (!model.listed || lifeCycleAt(model, nowMs) !== 'active') return false
  if (isFreeEntry(model)) return table === 'free'
  // A price of zero does not count, because such models are previews.
  return table === 'paid' && model.price !== null && isPriced(model.price) && usualPrice(model) > 0n
}

function isChat({ kind, outputModalities }: Model): boolean {
  return kind === 'chat' && outputModalities.includes('text')
}

function supports({ supportedParameters }: Model, parameter: string): boolean {
  return supportedParameters?.includes(parameter) ?? false
}

// A program's files and a long session fit into this.
const roomTokens = 100_000

function hasRoom({ contextLength }: Model): boolean {
  return contextLength !== null && contextLength >= roomTokens
}

const perAuthor = 2

function isOfFew({ author }: Model, before: readonly Model[]): boolean {
  return before.filter((model) => model.author === author).length < perAuthor
}

function byPrice(one: Model, other: Model): number {
  const difference = usualPrice(one) - usualPrice(other)
  return difference === 0n ? byName(one, other) : difference < 0n ? -1 : 1
}

/** A usual request reads three times as much as it writes. */
function usualPrice({ price }: Model): bigint {
  return 3n * (price?.base.prompt ?? 0n) + (price?.base.completion ?? 0n)
}

function byAge(one: Model, other: Model): number {
  return (other.releasedAtMs ?? 0) - (one.releasedAtMs ?? 0) || byName(one, other)
}

function byName({ id: one }: Model, { id: other }: Model): number {
  return one < other ? -1 : 1
}
