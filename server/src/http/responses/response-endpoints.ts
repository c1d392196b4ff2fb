import { shownResponse } from '#dialects/responses/shown-response.ts'
import { parseResponseId, publicResponseId } from '#domain/responses/response-id.ts'
import { responseOwner } from '#domain/responses/response-owner.ts'
import type { ResponsePart } from '#domain/responses/stored-response-blobs.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { FoundResponse, ResponseOwner, StoredResponses } from '#ports/stored-responses.ts'
import { type Endpoint, type EndpointRequest, principalOf } from '../endpoint.ts'
import { responseReply } from '../inference/schemas/responses-reply.ts'
import { flagOf } from '../request-values.ts'
import { itemPageOf } from './item-page.ts'
import { deletedSchema, inputItemsSchema, itemQuerySchema, responseQuerySchema } from './response-schema.ts'

interface ResponseEndpointDeps {
  /** Null if no responses are stored: then none is found. */
  readonly responses: Omit<StoredResponses, 'keep' | 'begin' | 'write' | 'finish' | 'renew'> | null
  /** Ends a request that this process runs in the background. */
  readonly stopBackground: (id: Uuid) => void
}

const path = '/v1/responses/:responseId'
const about = { tag: 'Inference', access: 'responses.manage' } as const

/** Reads, deletes and cancels stored responses. */
export function responseEndpoints(deps: ResponseEndpointDeps): Endpoint[] {
  return [getEndpoint(deps), deleteEndpoint(deps), inputItemsEndpoint(deps), cancelEndpoint(deps)]
}

function getEndpoint(deps: ResponseEndpointDeps): Endpoint {
  return {
    ...about,
    name: 'getResponse',
    method: 'GET',
    paths: [path],
    summary: 'Get a stored response',
    description: 'A background response is `in_progress` while it runs.',
    query: responseQuerySchema,
    reply: { status: 200, description: 'The response.', schema: responseReply },
    errors: ['malformedRequest', 'notFound'],
    handle: async (request) => {
      if (flagOf(request.query, 'stream') === true) {
        throw malformed('A stored response cannot be streamed. Remove `stream`.')
      }
      return { body: await readShown(deps, await findOf(deps, request)) }
    },
  }
}

function deleteEndpoint(deps: ResponseEndpointDeps): Endpoint {
  return {
    ...about,
    name: 'deleteResponse',
    method: 'DELETE',
    paths: [path],
    summary: 'Delete a stored response',
    description: 'Deletes the response and its input. Responses that continued it keep its conversation.',
    reply: { status: 200, description: 'The response is deleted.', schema: deletedSchema },
    errors: ['notFound', 'conflict'],
    handle: async (request) => {
      const { responses, owner, id } = storedOf(deps, request)
      if (await responses.remove(owner, id)) {
        return { body: { id: publicResponseId(id), object: 'response', deleted: true } }
      }
      await findOf(deps, request)
      throw new GatewayError('conflict', { message: 'The response is in progress. Cancel it before you delete it.' })
    },
  }
}

function inputItemsEndpoint(deps: ResponseEndpointDeps): Endpoint {
  return {
    ...about,
    name: 'listInputItems',
    method: 'GET',
    paths: [`${path}/input_items`],
    summary: 'List the input items of a stored response',
    description: 'Includes the conversation of the response that it continued.',
    query: itemQuerySchema,
    reply: { status: 200, description: 'A page of items, newest first by default.', schema: inputItemsSchema },
    errors: ['malformedRequest', 'notFound'],
    handle: async (request) => {
      const items = await readPart(deps, await findOf(deps, request), 'input')
      return { body: itemPageOf(Array.isArray(items) ? items.filter(isJsonObject) : [], request.query) }
    },
  }
}

function cancelEndpoint(deps: ResponseEndpointDeps): Endpoint {
  return {
    ...about,
    name: 'cancelResponse',
    method: 'POST',
    paths: [`${path}/cancel`],
    summary: 'Cancel a background response',
    description: 'Usage that the provider has reported is charged. A response that has ended stays unchanged.',
    reply: { status: 200, description: 'The response.', schema: responseReply },
    errors: ['malformedRequest', 'notFound'],
    handle: async (request) => {
      const { responses, owner, id } = storedOf(deps, request)
      if (await responses.cancel(owner, id)) deps.stopBackground(id)
      const response = await readShown(deps, await findOf(deps, request))
      if (response.background !== true) throw malformed('Only a response with `background: true` can be cancelled.')
      return { body: response }
    },
  }
}

type Responses = NonNullable<ResponseEndpointDeps['responses']>

function storedOf(
  { responses }: ResponseEndpointDeps,
  request: EndpointRequest,
): { responses: Responses; owner: ResponseOwner; id: Uuid } {
  const id = parseResponseId(request.params['responseId'] ?? '')
  if (responses === null || id === null) throw missing()
  return { responses, owner: responseOwner(principalOf(request)), id }
}

async function findOf(deps: ResponseEndpointDeps, request: EndpointRequest): Promise<FoundResponse> {
  const { responses, owner, id } = storedOf(deps, request)
  return (await responses.find(owner, id)) ?? refuseMissing()
}

async function readShown(deps: ResponseEndpointDeps, found: FoundResponse): Promise<JsonObject> {
  const stored = await readPart(deps, found, 'response')
  return isJsonObject(stored) ? shownResponse(stored, found.state) : refuseMissing()
}

async function readPart(
  { responses }: ResponseEndpointDeps,
  found: FoundResponse,
  part: ResponsePart,
): Promise<unknown> {
  const bytes = (await responses?.read(found, part)) ?? refuseMissing()
  return JSON.parse(bytes.toString('utf8'))
}

/** The error is the same for another person's response, an expired one and an unknown id. */
function missing(): GatewayError {
  return new GatewayError('notFound', { message: 'Response not found.' })
}

function refuseMissing(): never {
  throw missing()
}
