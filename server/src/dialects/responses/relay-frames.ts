import type { Charged, ReplyContext } from '#dialects/dialect.ts'
import type { ReasoningFormat } from '#domain/inference/parts.ts'
import type { GatewayError } from '#errors/gateway-error.ts'
import { isJsonObject, type JsonObject, type JsonValue, objectAt, objectsIn, stringAt } from '#lib/json.ts'
import { failureCode } from './failure-code.ts'
import { noteOutput } from './note-output.ts'
import { responseObject, type ResponseState } from './response-object.ts'
import { readReasoningItem, sealReasoning } from './sealed-reasoning.ts'

/** Values that replace those of an upstream that speaks this dialect. */
export interface Dress extends ReplyContext {
  /** The format of its reasoning. */
  readonly thoughts: ReasoningFormat
}

/**
 * An upstream's response under our id and our model name. Missing fields get the same values as in every other
 * response.
 */
export function dressResponse(response: JsonObject, dress: Dress, charged: Charged | null = null): JsonObject {
  const items = Array.isArray(response.output) ? response.output.filter(isJsonObject) : []
  const output = items.map((item) => dressItem(item, dress))
  const own = responseObject(dress, { status: statusOf(response), output, charged })
  const ours = Object.entries(own).filter(([field]) => alwaysOurs.has(field))
  return { ...own, ...response, ...Object.fromEntries(ours) }
}

const alwaysOurs = new Set([
  'id',
  'created_at',
  'completed_at',
  'model',
  'max_output_tokens',
  'output',
  'usage',
  'background',
  'previous_response_id',
  'store',
])

function statusOf({ status }: JsonObject): ResponseState['status'] {
  return status === 'completed' || status === 'incomplete' || status === 'failed' ? status : 'in_progress'
}

/** The last event of a complete response. If it repeats no items, the upstream has sent each in an earlier event. */
export function dressLast(
  response: JsonObject,
  dress: Dress,
  { charged, doneItems }: { charged: Charged | null; doneItems: JsonObject[] },
): JsonObject {
  const dressed = dressResponse(response, dress, charged)
  const incompleteReason = stringAt(objectAt(response, 'incomplete_details'), 'reason')
  const output = objectsIn(dressed.output)
  noteOutput(dress, {
    status: statusOf(response),
    output: output.length === 0 ? doneItems : [...output],
    ...(incompleteReason === undefined ? {} : { incompleteReason }),
  })
  return dressed
}

/** Reasoning of vendors other than OpenAI is put into an envelope, so that it returns only to its vendor. */
export function dressItem(item: JsonObject, { thoughts, excludeReasoning }: Dress): JsonObject {
  if (item.type !== 'reasoning') return item
  const encrypted = stringAt(item, 'encrypted_content')
  const part = encrypted === undefined || encrypted === '' || thoughts === 'openai' ? null : readReasoningItem(item)
  const sealed = part?.kind === 'reasoning' ? { encrypted_content: sealReasoning({ ...part, format: thoughts }) } : {}
  const { content: _, ...hidden } = item
  return excludeReasoning ? { ...hidden, summary: [], ...sealed } : { ...item, ...sealed }
}

/** The end of a failed stream, with the completed items. */
export function failedResponse(error: GatewayError, output: JsonObject[], dress: Dress): JsonObject {
  const { message } = error
  return responseObject(dress, { status: 'failed', output, error: { code: failureCode(error), message } })
}

/** A frame in the format of Responses. */
export function numberedFrame(event: JsonObject, sequenceNumber: number): string {
  const type = stringAt(event, 'type') ?? ''
  return namedFrame(type, JSON.stringify({ ...event, sequence_number: sequenceNumber }))
}

export function namedFrame(type: string, data: string): string {
  return `event: ${type}\ndata: ${data}\n\n`
}

/** Whether an event carries output, not only an announcement of it. */
export function saysSomething(event: JsonObject): boolean {
  if (event.type === 'response.output_item.done') return true
  if (event.type === 'response.output_item.added') return !isAnnounced(event.item)
  return typeof event.delta === 'string' && event.delta !== ''
}

function isAnnounced(item: JsonValue | undefined): boolean {
  return isJsonObject(item) && (item.type === 'message' || item.type === 'reasoning')
}
