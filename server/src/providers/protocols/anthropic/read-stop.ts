import type { FinishReason } from '#domain/inference/finish-reason.ts'
import { type JsonObject, objectAt, stringAt } from '#lib/json.ts'
import { finishReasonOf } from './finish-reason.ts'

/** How a message ended, from the message itself or from the last delta of a stream; undefined while it goes on. */
export function readStop(message: JsonObject, hasToolCalls: boolean): Stop | undefined {
  const native = stringAt(message, 'stop_reason') ?? ''
  if (native === '') return undefined
  const stopSequence = stringAt(message, 'stop_sequence')
  return {
    reason: finishReasonOf(native, hasToolCalls),
    native,
    sequence: stopSequence === undefined ? {} : { stopSequence },
    explanation: native === 'refusal' ? (stringAt(objectAt(message, 'stop_details'), 'explanation') ?? '') : '',
  }
}

export interface Stop {
  readonly reason: FinishReason
  readonly native: string
  readonly sequence: { readonly stopSequence?: string }
  /** Why the upstream refused, in its words; often it is all there is to show. */
  readonly explanation: string
}
