import type { FinishReason } from '#domain/inference/finish-reason.ts'

/** Gemini also sends `STOP` for calls. An unknown word counts as `stop`, because the output has ended. */
export function finishReasonOf(native: string, hasCalls: boolean): FinishReason {
  const reason = reasons.get(native) ?? 'stop'
  return reason === 'stop' && hasCalls ? 'tool_calls' : reason
}

export function isKnownFinish(native: string): boolean {
  return reasons.has(native)
}

const reasons: ReadonlyMap<string, FinishReason> = new Map([
  ['STOP', 'stop'],
  ['MAX_TOKENS', 'length'],
  ['SAFETY', 'content_filter'],
  ['RECITATION', 'content_filter'],
  ['LANGUAGE', 'content_filter'],
  ['BLOCKLIST', 'content_filter'],
  ['PROHIBITED_CONTENT', 'content_filter'],
  ['SPII', 'content_filter'],
  ['MODEL_ARMOR', 'content_filter'],
  ['IMAGE_SAFETY', 'content_filter'],
  ['IMAGE_PROHIBITED_CONTENT', 'content_filter'],
  ['IMAGE_RECITATION', 'content_filter'],
  ['OTHER', 'error'],
  ['IMAGE_OTHER', 'error'],
  ['NO_IMAGE', 'error'],
  ['MALFORMED_FUNCTION_CALL', 'error'],
  ['MALFORMED_RESPONSE', 'error'],
  ['MISSING_THOUGHT_SIGNATURE', 'error'],
  ['UNEXPECTED_TOOL_CALL', 'error'],
  ['TOO_MANY_TOOL_CALLS', 'error'],
])
