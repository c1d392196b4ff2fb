import type { DialectCall } from '#dialects/dialect.ts'
import { thinkingRoom } from '#dialects/thinking-room.ts'
import type { Candidate } from '#domain/routing/candidates.ts'

/** Of a model that states neither a maximum nor a context. */
export const usualTokensMax = 131_072

/**
 * The most output tokens of one choice: the client's cap with the room that is added for thinking, or what the model
 * can make.
 */
export function outputTokensMaxOf(call: DialectCall, candidate: Candidate): number {
  if (call.maxTokens !== null) return call.maxTokens + thinkingRoom(call.body, call.maxTokens)
  return statedTokensMax(candidate) ?? Number.MAX_SAFE_INTEGER
}

/** What a candidate is known to make at most; null where neither its offer nor its model says so. */
export function statedTokensMax({ maxCompletionTokens, model }: Candidate): number | null {
  return maxCompletionTokens ?? model.contextLength
}
