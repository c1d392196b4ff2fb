import type { CanonicalCall, ReasoningWish } from '#domain/inference/call.ts'
import { isJsonObject, type JsonObject, objectAt } from '#lib/json.ts'
import { adaptiveThinking, thinkingAsSent } from '#providers/traits/claude-effort.ts'
import type { ModelTraits } from './model-traits.ts'

/** Fields that Converse does not have and passes on to the model unchanged. */
export function modelFields(call: CanonicalCall, traits: ModelTraits): ModelFields {
  const ignored: string[] = []
  const fields: JsonObject = { ...passedOn(call, traits, ignored), ...givenFields(call) }
  if (fields.thinking === undefined && wantsThinking(call.reasoning)) {
    const thinking = traits.isClaude ? thinkingFields(call, call.reasoning, traits) : undefined
    if (thinking === undefined) ignored.push('reasoning')
    else Object.assign(fields, thinking)
  }
  const isThinking = isJsonObject(fields.thinking) && fields.thinking.type !== 'disabled'
  return { fields, isThinking, ignored }
}

interface ModelFields {
  readonly fields: JsonObject
  readonly isThinking: boolean
  readonly ignored: readonly string[]
}

/** Fields of Claude's own API, as its clients send them. */
export const claudeExtras = ['thinking', 'output_config', 'anthropic_beta'] as const

function passedOn({ extras }: CanonicalCall, { isClaude, claude }: ModelTraits, ignored: string[]): JsonObject {
  const known = isClaude ? claudeExtras.filter((name) => extras[name] !== undefined) : []
  const fields: JsonObject = Object.fromEntries(known.map((name) => [name, extras[name]]))
  if (!isJsonObject(fields.thinking)) return fields
  const said = thinkingAsSent(fields.thinking, claude)
  if (said === null) {
    delete fields.thinking
    ignored.push('thinking')
  } else {
    fields.thinking = said.thinking
    if (said.effort !== null) fields.output_config = { effort: said.effort, ...objectAt(fields, 'output_config') }
  }
  return fields
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

/**
 * Returns undefined if the request leaves no room for thinking: a forced tool, or an output cap below the smallest
 * budget.
 */
function thinkingFields(call: CanonicalCall, wish: ReasoningWish, traits: ModelTraits): JsonObject | undefined {
  const isForced = call.toolChoice?.kind === 'required' || call.toolChoice?.kind === 'tool'
  if (isForced && traits.claude.canBeForced) return undefined
  if (traits.claude.thinking === 'adaptive') {
    const { thinking, effort } = adaptiveThinking(wish)
    return { thinking, ...(effort === null ? {} : { output_config: { effort } }) }
  }
  const wanted = wish.budgetTokens ?? budgetTokensByEffort.get(wish.effort ?? 'medium') ?? 8_192
  // The budget is part of the cap and must leave tokens for the answer.
  const room = call.maxTokens === null ? wanted : call.maxTokens - 1
  const budget = Math.min(Math.max(wanted, budgetTokensMin), room)
  return budget < budgetTokensMin ? undefined : { thinking: { type: 'enabled', budget_tokens: budget } }
}
