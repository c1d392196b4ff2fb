import type { FinishReason } from '#domain/inference/finish-reason.ts'
import { nativeReason } from '#domain/inference/finish-reason.ts'
import { type JsonObject, objectAt, stringAt } from '#lib/json.ts'

interface ResponseEnd {
  readonly reason: FinishReason
  /** The upstream's own finish reason. */
  readonly native: string
}

/** How a response ended, or undefined if it has not. The reason of an incomplete response takes precedence. */
export function readEnd(response: JsonObject, hasToolCalls: boolean): ResponseEnd | undefined {
  const status = stringAt(response, 'status')
  if (status === 'completed') return { reason: hasToolCalls ? 'tool_calls' : 'stop', native: status }
  if (status !== 'incomplete') return undefined
  const native = stringAt(objectAt(response, 'incomplete_details'), 'reason') ?? status
  return { reason: native === 'content_filter' ? 'content_filter' : 'length', native: nativeReason(native) }
}
