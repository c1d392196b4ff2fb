import type { ReasoningWish } from '#domain/inference/call.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Target } from '#providers/protocol.ts'
import { thinksInLevels } from './model-family.ts'

/** From a wish in anybody's words: newer models take a level, older ones a number of tokens. */
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

/** Not every model can stop thinking altogether: the Pro models then think as little as they are able to. */
function leastThinking(target: ThinkingTarget): JsonObject {
  const isPro = /pro/i.test(target.upstreamModel)
  if (takesLevels(target)) return { includeThoughts: false, thinkingLevel: isPro ? 'low' : 'minimal' }
  return { includeThoughts: false, thinkingBudget: isPro ? 128 : 0 }
}

function effortDepth(effort: string | undefined, target: ThinkingTarget): JsonObject {
  if (effort === undefined) return {}
  // A word that is new to us may be known to the model.
  if (takesLevels(target)) return { thinkingLevel: levels.get(effort) ?? effort }
  const budget = budgets.get(effort)
  return budget === undefined ? {} : { thinkingBudget: budget }
}

const levels: ReadonlyMap<string, string> = new Map([
  ['xhigh', 'high'],
  ['max', 'high'],
])

/** The figures that Google's own OpenAI-compatible surface uses for these words; 24,576 is all that Flash takes. */
const budgets: ReadonlyMap<string, number> = new Map([
  ['minimal', 1_024],
  ['low', 1_024],
  ['medium', 8_192],
  ['high', 24_576],
  ['xhigh', 24_576],
  ['max', 24_576],
])
