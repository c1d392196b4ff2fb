import { sizeOf } from '#domain/inference/prompt-matter.ts'
import type { JsonObject } from '#lib/json.ts'
import { messagesPrompt } from './messages-prompt.ts'
import { checkPrompt, readModel } from './parse-messages.ts'

/** Counts tokens by our own estimate, because asking an upstream would cost a request. */
export function countTokens(body: JsonObject): { input_tokens: number } {
  readModel(body)
  checkPrompt(body)
  return { input_tokens: sizeOf(messagesPrompt.measure(body)).promptTokensEstimate }
}
