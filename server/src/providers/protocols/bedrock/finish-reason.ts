import { type FinishReason, nativeReason } from '#domain/inference/finish-reason.ts'
import { type JsonObject, objectAt, stringAt } from '#lib/json.ts'

interface Finish {
  reason: FinishReason
  native: string | null
  stopSequence?: string
}

/**
 * How a response ended, from a document or a `messageStop` event. An unknown word means that the output ended: `stop`.
 */
export function readFinish(holder: JsonObject): Finish {
  const native = stringAt(holder, 'stopReason') ?? null
  const stopSequence = stopSequenceOf(objectAt(holder, 'additionalModelResponseFields'))
  return {
    reason: reasons.get(native ?? '') ?? 'stop',
    native: native === null ? null : nativeReason(native),
    ...(stopSequence === undefined ? {} : { stopSequence }),
  }
}

/** The model's own fields: from its last event in a stream, or from its document. */
function stopSequenceOf(fields: JsonObject): string | undefined {
  return stringAt(objectAt(fields, 'delta'), 'stop_sequence') ?? stringAt(fields, 'stop_sequence')
}

export function isKnownFinish(native: string): boolean {
  return reasons.has(native)
}

const reasons: ReadonlyMap<string, FinishReason> = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['tool_use', 'tool_calls'],
  ['content_filtered', 'content_filter'],
  ['guardrail_intervened', 'content_filter'],
  ['malformed_model_output', 'error'],
  ['malformed_tool_use', 'error'],
])
