import type { CanonicalCall, ReasoningWish } from '#domain/inference/call.ts'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import type { ModelTraits } from './model-traits.ts'

/** What Converse has no field for and passes on to the model as it is. */
export function modelFields(call: CanonicalCall, traits: ModelTraits): ModelFields {
  const fields: JsonObject = { ...passedOn(call, traits), ...givenFields(call) }
  const ignored: string[] = []
  if (fields.thinking === undefined && wantsThinking(call.reasoning)) {
    const thinking = traits.isClaude ? thinkingFields(call, call.reasoning, traits) : undefined
    if (thinking === undefined) ignored.push('reasoning')
    else Object.assign(fields, thinking)
  }
  const isThinking = isJsonObject(fields.thinking) && fields.thinking.type !== 'disabled'
  const { topK = 0 } = call.sampling
  // Zero means no top-k sampling; and a thinking Claude takes none.
  if (topK > 0) {
    if (traits.isClaude && !isThinking) fields.top_k = topK
    else if (traits.isNova) fields.inferenceConfig = { topK }
    else ignored.push('top_k')
  }
  return { fields, isThinking, ignored }
}

export interface ModelFields {
  readonly fields: JsonObject
  readonly isThinking: boolean
  readonly ignored: readonly string[]
}

/** Fields of Claude's own API, as a caller who speaks it sent them. */
export const claudeExtras = ['thinking', 'output_config', 'anthropic_beta'] as const

function passedOn({ extras }: CanonicalCall, { isClaude }: ModelTraits): JsonObject {
  const known = isClaude ? claudeExtras.filter((name) => extras[name] !== undefined) : []
  return Object.fromEntries(known.map((name) => [name, extras[name]]))
}

function givenFields({ extras }: CanonicalCall): JsonObject {
  return isJsonObject(extras.additionalModelRequestFields) ? extras.additionalModelRequestFields : {}
}

function wantsThinking(wish: ReasoningWish | null): wish is ReasoningWish {
  if (wish === null || wish.enabled === false || wish.effort === 'none') return false
  return wish.enabled === true || wish.effort !== undefined || wish.budgetTokens !== undefined
}

const budgetTokensMin = 1_024
const budgetTokensByEffort: ReadonlyMap<string, number> = new Map([
  ['minimal', budgetTokensMin],
  ['low', 2_048],
  ['medium', 8_192],
  ['high', 16_384],
  ['xhigh', 24_576],
  ['max', 32_000],
])

/** Undefined where this call leaves no room for thinking: a forced tool, or an output cap below the smallest budget. */
function thinkingFields(call: CanonicalCall, wish: ReasoningWish, traits: ModelTraits): JsonObject | undefined {
  if (call.toolChoice?.kind === 'required' || call.toolChoice?.kind === 'tool') return undefined
  const { effort } = wish
  if (traits.thinksAdaptively) {
    const level = effort === 'minimal' ? 'low' : effort
    return { thinking: { type: 'adaptive' }, ...(level === undefined ? {} : { output_config: { effort: level } }) }
  }
  const wanted = wish.budgetTokens ?? budgetTokensByEffort.get(effort ?? 'medium') ?? 8_192
  // The budget is a part of the cap and must leave something to answer with.
  const room = call.maxTokens === null ? wanted : call.maxTokens - 1
  const budget = Math.min(Math.max(wanted, budgetTokensMin), room)
  return budget < budgetTokensMin ? undefined : { thinking: { type: 'enabled', budget_tokens: budget } }
}
