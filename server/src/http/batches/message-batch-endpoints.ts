import { Type } from 'typebox'
import type { CreateBatchDeps } from '#control/batches/create-batch.ts'
import { createMessageBatch } from '#control/batches/create-message-batch.ts'
import { messagesDialect } from '#dialects/messages/messages-dialect.ts'
import { type Batch, isEnded } from '#domain/batches/batch.ts'
import { parseBatchId, publicBatchId } from '#domain/batches/batch-id.ts'
import { messageBatchJson } from '#domain/batches/message-batch-json.ts'
import { fileOwnerOf } from '#domain/files/file-owner.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { Batches } from '#ports/batches.ts'
import type { Files } from '#ports/files.ts'
import { type Endpoint, type EndpointReply, type EndpointRequest, principalOf } from '../endpoint.ts'
import { sendFile } from '../files/file-endpoints.ts'
import { messagesError } from '../inference/schemas/messages-reply.ts'
import { limitOf, type Query, refuseValue, textOf } from '../request-values.ts'
import {
  deletedMessageBatchSchema,
  messageBatchListQuerySchema,
  messageBatchListSchema,
  messageBatchSchema,
  newMessageBatchSchema,
} from './message-batch-schema.ts'

interface MessageBatchEndpointDeps extends CreateBatchDeps {
  readonly batches: Batches
  readonly files: Pick<Files, 'find' | 'create' | 'open'>
}

const common = {
  tag: 'Inference',
  access: 'batches.manage',
  acceptsApiKeyHeader: true,
  errorForm: { ...messagesDialect, schema: messagesError },
} as const
const path = '/v1/messages/batches'
const onBatch = { ...common, paths: [`${path}/:messageBatchId`] } as const
const api = 'messages'

/** Batches in the format of the Messages API. */
export function messageBatchEndpoints(deps: MessageBatchEndpointDeps): Endpoint[] {
  return [createEndpoint(deps), listEndpoint(deps), ...oneEndpoints(deps), resultsEndpoint(deps)]
}

function createEndpoint(deps: MessageBatchEndpointDeps): Endpoint {
  return {
    ...common,
    name: 'createMessageBatch',
    method: 'POST',
    paths: [path],
    summary: 'Create a batch of messages',
    description: 'Runs each request as an ordinary request of this key, at the same price.',
    takesConversation: true,
    body: newMessageBatchSchema,
    reply: { status: 200, description: 'The new batch.', schema: messageBatchSchema },
    errors: ['missingRequiredField', 'tooManyBatches', 'tooManyFiles'],
    handle: async (request) => {
      const sender = { principal: principalOf(request), clientIp: request.clientIp, nowMs: request.nowMs }
      return { body: messageBatchJson(await createMessageBatch(deps, request.body, sender)) }
    },
  }
}

function listEndpoint({ batches }: MessageBatchEndpointDeps): Endpoint {
  return {
    ...common,
    name: 'listMessageBatches',
    method: 'GET',
    paths: [path],
    summary: 'List batches of messages',
    query: messageBatchListQuerySchema,
    reply: { status: 200, description: 'A page of batches, newest first.', schema: messageBatchListSchema },
    errors: ['malformedRequest'],
    handle: async (request) => {
      const { query } = request
      const limit = limitOf(query, { fallback: 20, max: 1_000 })
      const [after, before] = [cursorOf(query, 'after_id'), cursorOf(query, 'before_id')]
      // One row more than requested tells whether there is a next page.
      const asked = { api, after, before, limit: limit + 1 } as const
      const found = await batches.list(fileOwnerOf(principalOf(request)), asked)
      const data = before === null ? found.slice(0, limit) : found.slice(-limit)
      return {
        body: {
          data: data.map(messageBatchJson),
          has_more: found.length > limit,
          first_id: publicIdOf(data[0]),
          last_id: publicIdOf(data.at(-1)),
        },
      }
    },
  }
}

function oneEndpoints(deps: MessageBatchEndpointDeps): Endpoint[] {
  const { batches } = deps
  return [
    {
      ...onBatch,
      name: 'getMessageBatch',
      method: 'GET',
      summary: 'Get a batch of messages',
      reply: { status: 200, description: 'The batch.', schema: messageBatchSchema },
      errors: ['notFound'],
      handle: async (request) => ({ body: messageBatchJson(await batchOf(deps, request)) }),
    },
    {
      ...common,
      paths: [`${path}/:messageBatchId/cancel`],
      name: 'cancelMessageBatch',
      method: 'POST',
      summary: 'Cancel a batch of messages',
      description: 'Requests that have started finish and are charged. The others never start.',
      reply: { status: 200, description: 'The batch.', schema: messageBatchSchema },
      errors: ['notFound'],
      handle: async (request) => {
        const which = { api, id: idOf(request) } as const
        const batch = await batches.cancel(fileOwnerOf(principalOf(request)), which, request.nowMs)
        if (batch === null) throw batchNotFound()
        return { body: messageBatchJson(batch) }
      },
    },
    {
      ...onBatch,
      name: 'deleteMessageBatch',
      method: 'DELETE',
      summary: 'Delete a batch of messages',
      description: 'Deletes a batch that has ended, and its results.',
      reply: { status: 200, description: 'The batch is deleted.', schema: deletedMessageBatchSchema },
      errors: ['notFound', 'notFinished'],
      handle: async (request) => {
        const id = idOf(request)
        const removed = await batches.remove(fileOwnerOf(principalOf(request)), { api, id })
        if (removed === 'missing') throw batchNotFound()
        if (removed === 'running') throw running('Cancel it before you delete it.')
        return { body: { id: publicBatchId(api, id), type: 'message_batch_deleted' } }
      },
    },
  ]
}

function resultsEndpoint(deps: MessageBatchEndpointDeps): Endpoint {
  return {
    ...common,
    paths: [`${path}/:messageBatchId/results`],
    name: 'getMessageBatchResults',
    method: 'GET',
    summary: 'Download the results of a batch of messages',
    reply: {
      status: 200,
      description: 'One line per request, each a JSON object.',
      schema: Type.String({ format: 'binary' }),
      contentTypes: ['application/x-jsonl'],
    },
    errors: ['notFound', 'notFinished', 'gone'],
    handle: (request) => resultsOf(deps, request),
  }
}

async function resultsOf(deps: MessageBatchEndpointDeps, request: EndpointRequest): Promise<EndpointReply> {
  const { status, outputFileId } = await batchOf(deps, request)
  if (!isEnded(status)) throw running('Its results can be downloaded once it has ended.')
  const file = outputFileId === null ? null : await deps.files.open(outputFileId)
  if (file === null) throw new GatewayError('gone', { message: 'The results of this batch have expired.' })
  return sendFile(file, 'application/x-jsonl')
}

async function batchOf({ batches }: MessageBatchEndpointDeps, request: EndpointRequest): Promise<Batch> {
  const batch = await batches.find(fileOwnerOf(principalOf(request)), { api, id: idOf(request) })
  if (batch === null) throw batchNotFound()
  return batch
}

function cursorOf(query: Query, name: string): Uuid | null {
  const text = textOf(query, name)
  const id = text === null ? null : parseBatchId(api, text)
  if (id === undefined) throw refuseValue(name, 'the id of a batch')
  return id
}

function idOf({ params }: EndpointRequest): Uuid {
  const id = parseBatchId(api, params['messageBatchId'] ?? '')
  if (id === undefined) throw batchNotFound()
  return id
}

function publicIdOf(batch: Batch | undefined): string | null {
  return batch === undefined ? null : publicBatchId(api, batch.id)
}

function batchNotFound(): GatewayError {
  return new GatewayError('notFound', { message: 'Batch not found.' })
}

function running(advice: string): GatewayError {
  return new GatewayError('notFinished', { message: `This batch has not ended. ${advice}` })
}
