import type { DialectCall } from '#dialects/dialect.ts'
import { thinkingRoom } from '#dialects/thinking-room.ts'
import type { Candidate } from '#domain/routing/candidates.ts'

/** For a model that states neither a maximum nor a context. */
export const usualTokensMax = 131_072

/** Maximum output tokens of one choice: the client's cap plus the room added for thinking, or the model's maximum. */
export function outputTokensMaxOf(call: DialectCall, candidate: Candidate): number {
  if (call.maxTokens !== null) return call.maxTokens + thinkingRoom(call.body, call.maxTokens)
  return statedTokensMax(candidate) ?? Number.MAX_SAFE_INTEGER
}

/** A candidate's known maximum, or null if neither its offer nor its model states one. */
export function statedTokensMax({ maxCompletionTokens, model }: Candidate): number | null {
  return maxCompletionTokens ?? model.contextLength
}
