import type { FinishReason } from '#domain/inference/finish-reason.ts'
import type { OpenAiQuirks } from '#providers/spec.ts'

/** One of the five finish reasons that clients know. An unknown word counts as `stop`, because the output has ended. */
export function finishReasonOf(native: string, quirks: OpenAiQuirks): FinishReason {
  const { finishReasons } = quirks
  if (finishReasons !== undefined && Object.hasOwn(finishReasons, native)) return finishReasons[native] ?? 'stop'
  return reasons.get(native) ?? reasons.get(native.toLowerCase()) ?? 'stop'
}

/** Whether a table has this word. */
export function isKnownFinish(native: string, { finishReasons }: OpenAiQuirks): boolean {
  return reasons.has(native.toLowerCase()) || (finishReasons !== undefined && Object.hasOwn(finishReasons, native))
}

/** OpenAI's finish reasons, and those that compatible servers pass on from the models behind them. */
const reasons: ReadonlyMap<string, FinishReason> = new Map([
  ['stop', 'stop'],
  ['length', 'length'],
  ['tool_calls', 'tool_calls'],
  ['content_filter', 'content_filter'],
  ['error', 'error'],
  ['eos', 'stop'],
  ['eos_token', 'stop'],
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['complete', 'stop'],
  ['max_tokens', 'length'],
  ['model_length', 'length'],
  ['max_output_tokens', 'length'],
  ['function_call', 'tool_calls'],
  ['tool_call', 'tool_calls'],
  ['tool_use', 'tool_calls'],
  ['content_filtered', 'content_filter'],
  ['guardrail_intervened', 'content_filter'],
  ['prohibited_content', 'content_filter'],
  ['recitation', 'content_filter'],
  ['refusal', 'content_filter'],
  ['safety', 'content_filter'],
  ['sensitive', 'content_filter'],
  ['insufficient_system_resource', 'error'],
  ['network_error', 'error'],
])
