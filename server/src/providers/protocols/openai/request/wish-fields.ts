import type { ReasoningWish } from '#domain/inference/call.ts'
import type { JsonObject } from '#lib/json.ts'
import { effortForBudget } from '#providers/traits/effort-for-budget.ts'
import type { OpenAiTarget } from '../openai-target.ts'
import { openAiOutputCap } from './output-cap.ts'

/** A thinking option in the upstream's fields. If the client used dialect fields, those are sent instead. */
export function wishFields(wish: ReasoningWish, target: OpenAiTarget): JsonObject {
  const isOn = wish.enabled !== false
  switch (target.vendor.openai.thinkingField) {
    case 'reasoning':
      return { reasoning: reasoningObject(wish) }
    case 'thinking':
      return { thinking: { type: isOn ? 'enabled' : 'disabled' } }
    case 'enable_thinking':
      return {
        enable_thinking: isOn,
        ...(isOn && wish.budgetTokens !== undefined ? { thinking_budget: wish.budgetTokens } : {}),
      }
    case 'reasoning_enabled':
      return {
        ...(wish.effort === undefined || !isOn ? {} : { reasoning_effort: wish.effort }),
        ...(wish.enabled === undefined ? {} : { reasoning: { enabled: wish.enabled } }),
      }
    default:
      return effortField(wish, target)
  }
}

/** Only one of effort and budget may be sent. */
function reasoningObject({ enabled, effort, budgetTokens, exclude }: ReasoningWish): JsonObject {
  const amount = effort === undefined ? { max_tokens: budgetTokens } : { effort }
  const isAmount = effort !== undefined || budgetTokens !== undefined
  return {
    ...(isAmount ? amount : {}),
    ...(enabled === undefined || isAmount ? {} : { enabled }),
    ...(exclude === undefined ? {} : { exclude }),
  }
}

/** OpenAI models that do not reason reject the field. For models that reason, a budget is translated to an effort. */
function effortField({ enabled, effort, budgetTokens }: ReasoningWish, target: OpenAiTarget): JsonObject {
  const { upstreamModel, model, openAiFamily, vendor } = target
  const { efforts } = vendor.openai
  const reasons = openAiOutputCap(upstreamModel, model) !== undefined || upstreamModel.includes('gpt-oss')
  if (openAiFamily && !reasons) return {}
  if (enabled === false && efforts?.includes('none') === true) return { reasoning_effort: 'none' }
  if (effort !== undefined) return { reasoning_effort: effort === 'max' ? 'high' : effort }
  if ((!openAiFamily && efforts === undefined) || enabled === false || budgetTokens === undefined) return {}
  return { reasoning_effort: effortForBudget(budgetTokens) }
}
