import type { ReasoningWish } from '#domain/inference/call.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Target } from '#providers/protocol.ts'
import { thinksInLevels } from './model-family.ts'

/** Translates a thinking option of any dialect: newer models take a level, older ones a number of tokens. */
export function buildThinkingConfig(wish: ReasoningWish, target: ThinkingTarget): JsonObject | undefined {
  if (wish.enabled === false || wish.effort === 'none') return leastThinking(target)
  const depth =
    wish.budgetTokens === undefined ? effortDepth(wish.effort, target) : { thinkingBudget: wish.budgetTokens }
  return { includeThoughts: wish.exclude !== true, ...depth }
}

type ThinkingTarget = Pick<Target, 'upstreamModel' | 'overrides'>

function takesLevels({ upstreamModel, overrides }: ThinkingTarget): boolean {
  const form = overrides?.thinking
  return form === 'level' || (form !== 'budget' && thinksInLevels(upstreamModel))
}

/** Some models cannot turn thinking off: the Pro models then think as little as possible. */
function leastThinking(target: ThinkingTarget): JsonObject {
  const isPro = /pro/i.test(target.upstreamModel)
  if (takesLevels(target)) return { includeThoughts: false, thinkingLevel: isPro ? 'low' : 'minimal' }
  return { includeThoughts: false, thinkingBudget: isPro ? 128 : 0 }
}

function effortDepth(effort: string | undefined, target: ThinkingTarget): JsonObject {
  if (effort === undefined) return {}
  // The model may know an effort that we do not.
  if (takesLevels(target)) return { thinkingLevel: levels.get(effort) ?? effort }
  const budget = budgets.get(effort)
  return budget === undefined ? {} : { thinkingBudget: budget }
}

const levels: ReadonlyMap<string, string> = new Map([
  ['xhigh', 'high'],
  ['max', 'high'],
])

/** The values that Google's own OpenAI-compatible API uses for these efforts. 24,576 is the maximum of Flash. */
const budgets: ReadonlyMap<string, number> = new Map([
  ['minimal', 1_024],
  ['low', 1_024],
  ['medium', 8_192],
  ['high', 24_576],
  ['xhigh', 24_576],
  ['max', 24_576],
])
