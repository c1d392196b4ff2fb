import type { AskedStorage, StorageAccess } from '#dialects/dialect.ts'
import { malformed } from '#errors/malformed.ts'
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  objectAt,
  objectsIn,
  parseJsonObject,
  stringAt,
} from '#lib/json.ts'
import { failureCode } from './failure-code.ts'
import { idStemOf, responseObject } from './response-object.ts'

/** The fields of Responses that need stored responses. */
export const storedState: StorageAccess = {
  asked: (body, isDefault) => {
    const previousId = body.previous_response_id ?? null
    const isBackground = body.background === true
    const isStored = body.store === true || (body.store !== false && (isDefault || isBackground))
    return isStored || isBackground || previousId !== null ? check(body, { isStored, isBackground, previousId }) : null
  },
  continued: (body, earlier) => {
    const { previous_response_id: _previous, background: _background, store, ...rest } = body
    const plain = store === false ? { ...rest, store } : rest
    if (earlier === null) return plain
    return { ...plain, input: [...earlier.input, ...objectsIn(earlier.response.output), ...itemsOf(body.input)] }
  },
  inputItems: (body, context) =>
    itemsOf(body.input).map((item, position) => withId(item, `${idStemOf(context)}_${position}`)),
  queued: (context) => JSON.stringify(responseObject(context, { status: 'queued', output: [] })),
  failed: (queued, error) => {
    const state = { status: 'failed', error: { code: failureCode(error), message: error.message } }
    return JSON.stringify(unansweredResponse(parseJsonObject(queued) ?? {}, state))
  },
  isComplete: (response) => {
    const { reason } = objectAt(response, 'incomplete_details')
    return response.status === 'completed' || (response.status === 'incomplete' && reason !== 'content_filter')
  },
  endedIn,
}

function check(
  body: JsonObject,
  { previousId, ...asked }: Omit<AskedStorage, 'previousId'> & { previousId: JsonValue },
): AskedStorage {
  if (previousId !== null && typeof previousId !== 'string') throw malformed('`previous_response_id` must be a string.')
  if (asked.isBackground && !asked.isStored) {
    throw malformed('`background: true` needs a stored response. Remove `store: false`.')
  }
  if (asked.isBackground && body.stream === true) {
    throw malformed('`background: true` cannot be streamed. Remove `stream`, and poll GET /v1/responses/{id}.')
  }
  return { ...asked, previousId }
}

/** The items of an input, with a string as the message that it stands for. */
function itemsOf(input: JsonValue | undefined): JsonValue[] {
  if (Array.isArray(input)) return input
  if (input === undefined || input === null) return []
  return [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: input }] }]
}

/** Clients page through input items by their ids. */
function withId(item: JsonValue, place: string): JsonValue {
  if (!isJsonObject(item)) return item
  const id = stringAt(item, 'id') ?? ''
  const type = item.type ?? 'message'
  return id === ''
    ? { ...item, type, id: `${type === 'message' ? 'msg' : 'item'}_weir_in_${place}` }
    : { ...item, type }
}

/** The response object in a document, or in the last event of a stream. */
function endedIn(bytes: string): JsonObject | null {
  const data = bytes.startsWith('{') ? bytes : (bytes.slice(bytes.lastIndexOf('\ndata: ') + 7).split('\n', 1)[0] ?? '')
  const parsed: unknown = JSON.parse(data)
  if (!isJsonObject(parsed)) return null
  return isJsonObject(parsed.response) ? parsed.response : parsed
}

/** A response that has not ended with an answer, as clients see it. */
export function unansweredResponse(
  begun: JsonObject,
  state: { readonly status: string; readonly error?: { readonly code: string; readonly message: string } },
): JsonObject {
  const { status, error = null } = state
  return { ...begun, status, error, output: [], usage: null, completed_at: null, incomplete_details: null }
}
