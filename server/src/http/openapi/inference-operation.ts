import type { JsonObject } from '#lib/json.ts'
import { inferenceErrorsOf } from '../errors-of.ts'
import type { InferenceEndpoint } from '../inference/inference-endpoint.ts'
import type { Components } from './components.ts'
import { headersOf } from './headers.ts'
import { operationId, typeNameOf } from './operation-names.ts'
import { refusals } from './refusals.ts'

export function inferenceOperation(components: Components, endpoint: InferenceEndpoint, path: string): JsonObject {
  return {
    operationId: operationId(endpoint, path),
    summary: endpoint.summary,
    ...(endpoint.description === undefined ? {} : { description: endpoint.description }),
    tags: ['Inference'],
    'x-access': endpoint.access,
    security: [{ key: [] }],
    parameters: [idempotencyKeyParameter],
    requestBody: { required: true, content: bodyContentOf(components, endpoint) },
    responses: {
      [endpoint.status ?? 200]: replyOf(components, endpoint),
      ...refusals(components, inferenceErrorsOf(endpoint), endpoint.errorSchema),
    },
  }
}

const idempotencyKeyParameter: JsonObject = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Unique string for this request. A retry with the same key within 24 hours gets the same answer and is charged once.',
  schema: { type: 'string', maxLength: 255 },
}

/** Endpoints that take files take forms, and JSON only if it can express the same. */
function bodyContentOf(components: Components, { name, form, readForm, body, example }: InferenceEndpoint): JsonObject {
  const types = form === undefined && readForm === undefined ? [] : ['multipart/form-data']
  if (form === undefined || form.orJson) types.push('application/json')
  const schema = components.namedSchema(`${typeNameOf(name)}Body`, body)
  return Object.fromEntries(
    types.map((type) => [
      type,
      { schema, ...(type === 'application/json' && example !== undefined ? { example } : {}) },
    ]),
  )
}

function replyOf(components: Components, endpoint: InferenceEndpoint): JsonObject {
  const { name, reply, replyTypes = ['application/json'], events } = endpoint
  const content: Record<string, JsonObject> = {}
  for (const type of replyTypes) {
    const isJson = type === 'application/json'
    content[type] = { schema: isJson ? components.namedSchema(`${typeNameOf(name)}Reply`, reply) : { type: 'string' } }
  }
  if (events !== undefined) content['text/event-stream'] = { schema: eventsSchema(components.schema(events)) }
  return {
    description:
      events === undefined ? 'The response.' : 'The response. With `stream: true`, a stream of server-sent events.',
    headers: headersOf.inference,
    content,
  }
}

/** A stream is one string; the `data:` of each event is described by `contentSchema`. */
function eventsSchema(event: JsonObject): JsonObject {
  return {
    type: 'string',
    description: 'A stream of server-sent events. `contentSchema` describes the JSON after each `data:`.',
    contentMediaType: 'application/json',
    contentSchema: event,
  }
}
