import type { JsonObject } from '../json-value.ts'
import type { StepsScenario } from '../scenario.ts'
import type { AnswerContext, VendorName, VendorStyle } from '../vendors/vendor-style.ts'
import { vendorStyles } from '../vendors/vendor-styles.ts'
import type { Answer, ChoiceParts } from './answer.ts'
import { choicesOf } from './answer.ts'
import { contextOf } from './answer-context.ts'
import { jsonAnswer } from './json-answer.ts'
import { vendorError } from './vendor-error.ts'

/**
 * The response to `stream: false` in the vendor's format. An answer that would fail mid-stream fails immediately here.
 */
export function vendorCompletion(vendor: VendorName, answer: Answer): StepsScenario {
  if (answer.kind === 'mid-stream-error') return vendorError(vendor, 'server-error')
  const style = vendorStyles[vendor]
  const scenario = jsonAnswer(200, completionBody(style, answer), style.headers)
  return answer.wire === undefined ? scenario : { ...scenario, wire: answer.wire }
}

function completionBody(style: VendorStyle, answer: Answer): JsonObject {
  const context = contextOf(style, answer)
  // The fields after `usage` keep OpenAI's order.
  const { service_tier, system_fingerprint, ...envelope } = style.envelope(context)
  const body: JsonObject = {
    ...envelope,
    object: 'chat.completion',
    choices: choicesOf(answer).map((parts, index) => choiceOf(style, context, { parts, index })),
  }
  if (context.usage !== null) body.usage = style.usage(context.usage, context)
  if (service_tier !== undefined) body.service_tier = service_tier
  if (system_fingerprint !== undefined) body.system_fingerprint = system_fingerprint
  return style.dressCompletion(body, context)
}

function choiceOf(
  style: VendorStyle,
  context: AnswerContext,
  { parts, index }: { parts: ChoiceParts; index: number },
): JsonObject {
  const finish = style.finishReason(parts.finish, context)
  const choice = style.choice({ index, delta: {}, finish }, context)
  const shared = Object.entries(choice).filter(([key]) => key !== 'delta' && key !== 'text')
  return { index, message: style.message(parts, context), ...Object.fromEntries(shared) }
}
