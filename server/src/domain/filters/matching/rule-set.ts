import { assert } from '#lib/assert.ts'
import type { FilterAction, FilterMatcher } from '../filter-rule.ts'
import { type CompiledMatcher, compileMatcher } from './compile-matcher.ts'
import { RegexScreen } from './regex-screen.ts'

/** The properties of a rule that the engine needs. */
export interface EngineRule {
  readonly action: FilterAction
  readonly matcher: FilterMatcher
}

/**
 * Rules with their compiled matchers. Each is compiled on first use, so that a set too large for one deadline gets
 * further with each inspection.
 */
export class RuleSet {
  readonly rules: readonly EngineRule[]
  /** The rule indexes in execution order: blocking rules come first, because they must not be late. */
  readonly order: readonly number[]
  readonly #compiled: (CompiledMatcher | undefined)[]
  readonly #groups: readonly (readonly number[])[]
  readonly #screens = new Map<readonly number[], RegexScreen>()

  constructor(rules: readonly EngineRule[]) {
    this.rules = rules
    this.order = orderOf(rules)
    this.#compiled = rules.map(() => undefined)
    this.#groups = groupsOf(rules, this.order)
  }

  matcherOf(place: number): CompiledMatcher {
    const rule = this.rules[place]
    assert(rule !== undefined, 'a set is asked for its own rules')
    const compiled = this.#compiled[place] ?? compileMatcher(rule.matcher)
    this.#compiled[place] = compiled
    return compiled
  }

  /** The screen with this rule's pattern. Undefined if there are few patterns, or if time runs out. */
  screenOf(place: number, isLate: () => boolean): RegexScreen | undefined {
    const group = this.#groups.find((members) => members.includes(place))
    if (group === undefined) return undefined
    const known = this.#screens.get(group)
    if (known !== undefined) return known
    // An invalid or too large pattern must not affect its neighbors.
    for (const member of group) if (isLate() || !this.matcherOf(member).compiled) return undefined
    const screen = new RegexScreen(group.flatMap((member) => patternsOf(this.rules[member], member)))
    this.#screens.set(group, screen)
    return screen
  }
}

/** Patterns per screen: enough to save passes, few enough for one pass to be short. */
const screenSize = 20
/** Fewer patterns are searched one by one. */
const screenSizeMin = 4

const urgency: Readonly<Record<FilterAction, number>> = { block: 0, redact: 1, flag: 2 }

function orderOf(rules: readonly EngineRule[]): number[] {
  const places = rules.map(({ action }, place) => ({ place, urgency: urgency[action] }))
  return places
    .sort((left, right) => left.urgency - right.urgency || left.place - right.place)
    .map(({ place }) => place)
}

function groupsOf(rules: readonly EngineRule[], order: readonly number[]): number[][] {
  const places = order.filter((place) => rules[place]?.matcher.kind === 'regex')
  const groups: number[][] = []
  for (let at = 0; places.length - at >= screenSizeMin; at += screenSize) groups.push(places.slice(at, at + screenSize))
  return groups
}

function patternsOf(rule: EngineRule | undefined, place: number) {
  if (rule?.matcher.kind !== 'regex') return []
  return [{ place, pattern: rule.matcher.pattern, ignoreCase: rule.matcher.ignoreCase }]
}
