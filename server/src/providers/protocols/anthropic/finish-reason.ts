import type { FinishReason } from '#domain/inference/finish-reason.ts'

/** One of the finish reasons that clients know. An unknown word counts as `stop`, because the output has ended. */
export function finishReasonOf(native: string, hasToolCalls: boolean): FinishReason {
  const reason = reasons.get(native) ?? 'stop'
  // Some upstreams report a plain stop when the model stopped to call its tools.
  return reason === 'stop' && hasToolCalls && native !== 'pause_turn' ? 'tool_calls' : reason
}

const reasons: ReadonlyMap<string, FinishReason> = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['pause_turn', 'stop'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['tool_use', 'tool_calls'],
  ['refusal', 'content_filter'],
])

export function isKnownStop(native: string): boolean {
  return reasons.has(native)
}
