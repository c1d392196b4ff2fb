import type { ReasoningWish } from '#domain/inference/call.ts'
import { countAt, type JsonObject } from '#lib/json.ts'
import type { ClaudeTraits } from './claude-traits.ts'
import { effortForBudget } from './effort-for-budget.ts'

/** Thinking options for releases that choose how much to think. */
export interface AdaptiveThinking {
  readonly thinking: JsonObject
  /** Null leaves the effort to the model. */
  readonly effort: string | null
}

/** Without `display` the thoughts of these releases come back empty. */
export function adaptiveThinking({ effort, budgetTokens, exclude }: ReasoningWish): AdaptiveThinking {
  return {
    thinking: { type: 'adaptive', display: exclude === true ? 'omitted' : 'summarized' },
    effort: effort === undefined ? effortFor(budgetTokens) : (levels.get(effort) ?? 'medium'),
  }
}

/** A thinking option in Claude's own form, adapted to this release. Null if the release accepts none. */
export function thinkingAsSent(thinking: JsonObject, traits: ClaudeTraits): AdaptiveThinking | null {
  if (thinking.type === 'disabled' && !traits.canRest) return traits.restsBetweenTools === true ? leastThinking : null
  if (thinking.type !== 'enabled' || traits.thinking === 'budget') return { thinking, effort: null }
  const { display = 'summarized' } = thinking
  return { thinking: { type: 'adaptive', display }, effort: effortFor(countAt(thinking, 'budget_tokens')) }
}

const leastThinking: AdaptiveThinking = { thinking: { type: 'between_tools' }, effort: null }

const levels: ReadonlyMap<string, string> = new Map([
  ['minimal', 'low'],
  ['low', 'low'],
  ['medium', 'medium'],
  ['high', 'high'],
  ['xhigh', 'xhigh'],
  ['max', 'max'],
])

function effortFor(budgetTokens: number | undefined): string | null {
  return budgetTokens === undefined ? null : effortForBudget(budgetTokens)
}
