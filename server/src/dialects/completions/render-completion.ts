import type { Part } from '#domain/inference/parts.ts'
import type { CanonicalReply } from '#domain/inference/reply.ts'
import { isJsonObject, type JsonValue } from '#lib/json.ts'
import { chatHead } from '../chat/chat-head.ts'
import { chatUsage } from '../chat/usage-json.ts'
import type { Charged, ReplyContext } from '../dialect.ts'
import { echoedPrompts } from './echoed-prompt.ts'

/** A complete response as a text completion. */
export function renderCompletion(reply: CanonicalReply, charged: Charged | null, context: ReplyContext): string {
  const echoed = echoedPrompts(context.requestBody)
  return JSON.stringify({
    ...chatHead(context, 'text_completion'),
    choices: reply.choices.map(({ parts, finishReason }, index) => ({
      index,
      text: echoed(index) + parts.map(textOf).join(''),
      logprobs: parts.map(logprobsIn).find((probabilities) => probabilities !== null) ?? null,
      finish_reason: finishReason,
    })),
    ...(charged === null ? {} : { usage: chatUsage(charged.usage, charged.cost, charged.upstreamCost) }),
  })
}

function textOf(part: Part): string {
  return part.kind === 'text' || part.kind === 'refusal' ? part.text : ''
}

/** Log probabilities have no canonical form: they come from an upstream with this API, in its words. */
export function logprobsIn(part: Part): JsonValue {
  if (part.kind !== 'opaque' || part.protocol !== 'openai' || !isJsonObject(part.value)) return null
  return part.value.completion_logprobs ?? null
}
