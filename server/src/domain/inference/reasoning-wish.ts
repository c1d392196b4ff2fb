import type { ReasoningWish } from './call.ts'
import { countAt, type JsonObject, objectAt, stringAt } from '#lib/json.ts'

/** Combines all fields with which clients request reasoning; the more general field wins. Null if none is set. */
export function reasoningWishOf(body: JsonObject): ReasoningWish | null {
  if (!asksForReasoning(body)) return null
  const reasoning = objectAt(body, 'reasoning')
  const thinking = objectAt(body, 'thinking')
  const effort = stringAt(reasoning, 'effort') ?? stringAt(body, 'reasoning_effort')
  const budgetTokens =
    countAt(reasoning, 'max_tokens') ?? countAt(thinking, 'budget_tokens') ?? countAt(body, 'thinking_budget')
  const enabled = isEnabled(effort, reasoning, thinking, body.enable_thinking)
  const wish: ReasoningWish = {
    ...(enabled === undefined ? {} : { enabled }),
    ...(effort === undefined ? {} : { effort }),
    ...(budgetTokens === undefined ? {} : { budgetTokens }),
    ...(typeof reasoning.exclude === 'boolean' ? { exclude: reasoning.exclude } : {}),
  }
  return Object.keys(wish).length === 0 ? null : wish
}

function asksForReasoning(body: JsonObject): boolean {
  for (const field of reasoningFieldNames) if (body[field] !== undefined) return true
  return false
}

/** Whether this field requests reasoning. */
export function isReasoningField(name: string): boolean {
  return reasoningFields.has(name)
}

const reasoningFieldNames = ['reasoning', 'reasoning_effort', 'thinking', 'thinking_budget', 'enable_thinking']
const reasoningFields: ReadonlySet<string> = new Set(reasoningFieldNames)

function isEnabled(
  effort: string | undefined,
  reasoning: JsonObject,
  thinking: JsonObject,
  enableThinking: unknown,
): boolean | undefined {
  if (effort === 'none') return false
  if (typeof reasoning.enabled === 'boolean') return reasoning.enabled
  if (typeof thinking.type === 'string') return thinking.type !== 'disabled'
  return typeof enableThinking === 'boolean' ? enableThinking : undefined
}
