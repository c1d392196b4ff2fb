import { type FinishReason, nativeReason } from '#domain/inference/finish-reason.ts'
import { isJsonObject, type JsonObject, objectAt, stringAt } from '#lib/json.ts'
import { publicText } from '#lib/public-text.ts'
import { finishReasonOf } from './finish-reason.ts'

/** How a message ended, from the message itself or from the last delta of a stream. Undefined while it continues. */
export function readStop(message: JsonObject, hasToolCalls: boolean): Stop | undefined {
  const native = stringAt(message, 'stop_reason') ?? ''
  if (native === '') return undefined
  const stopSequence = stringAt(message, 'stop_sequence')
  return {
    reason: finishReasonOf(native, hasToolCalls),
    native: nativeReason(native),
    sequence: stopSequence === undefined ? {} : { stopSequence },
    explanation: native === 'refusal' ? publicText(explanationIn(message)) : '',
  }
}

interface Stop {
  readonly reason: FinishReason
  readonly native: string
  readonly sequence: { readonly stopSequence?: string }
  /** The upstream's explanation of its refusal. Often there is nothing else to show. */
  readonly explanation: string
}

/** The message with stop details that may be relayed. The rest of a message is the model's output. */
export function withPublicStop(message: JsonObject): JsonObject {
  const { stop_reason: reason, stop_details: details } = message
  return {
    ...message,
    ...(typeof reason === 'string' ? { stop_reason: nativeReason(reason) } : {}),
    ...(isJsonObject(details) && typeof details.explanation === 'string'
      ? { stop_details: { ...details, explanation: publicText(details.explanation) } }
      : {}),
  }
}

function explanationIn(message: JsonObject): string {
  return stringAt(objectAt(message, 'stop_details'), 'explanation') ?? ''
}
