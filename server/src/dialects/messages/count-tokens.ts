import { sizeOf } from '#domain/inference/prompt-matter.ts'
import type { JsonObject } from '#lib/json.ts'
import { messagesPrompt } from './messages-prompt.ts'
import { checkPrompt, readModel } from './parse-messages.ts'

/** Answers a request to count tokens: our own estimate, since asking an upstream would cost a call. */
export function countTokens(body: JsonObject): { input_tokens: number } {
  readModel(body)
  checkPrompt(body)
  return { input_tokens: sizeOf(messagesPrompt.measure(body)).promptTokensEstimate }
}
