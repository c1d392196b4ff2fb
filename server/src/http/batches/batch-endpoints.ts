import { createBatch, type CreateBatchDeps } from '#control/batches/create-batch.ts'
import { type Batch, isEnded } from '#domain/batches/batch.ts'
import { parseBatchId, publicBatchId } from '#domain/batches/batch-id.ts'
import { batchJson } from '#domain/batches/batch-json.ts'
import { fileOwnerOf } from '#domain/files/file-owner.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { Batches } from '#ports/batches.ts'
import { type Endpoint, type EndpointReply, type EndpointRequest, principalOf } from '../endpoint.ts'
import { limitOf, type Query, refuseValue, textOf } from '../request-values.ts'
import { batchListQuerySchema, batchListSchema, batchSchema, newBatchSchema } from './batch-schema.ts'

interface BatchEndpointDeps extends CreateBatchDeps {
  readonly batches: Batches
}

const common = { tag: 'Inference', access: 'batches.manage' } as const
const api = 'openai'

/** Batches in the format of the OpenAI API. */
export function batchEndpoints(deps: BatchEndpointDeps): Endpoint[] {
  const { batches } = deps
  return [
    {
      ...common,
      name: 'createBatch',
      method: 'POST',
      paths: ['/v1/batches'],
      summary: 'Create a batch',
      description:
        'Checks all lines of the file, then runs each line as an ordinary request of this key, at the same price. Lines that reach a rate limit wait.',
      body: newBatchSchema,
      reply: { status: 200, description: 'The new batch.', schema: batchSchema },
      errors: ['missingRequiredField', 'notFound', 'tooManyBatches'],
      handle: async (request) => {
        const sender = { principal: principalOf(request), clientIp: request.clientIp, nowMs: request.nowMs }
        return { body: batchJson(await createBatch(deps, request.body, sender)) }
      },
    },
    {
      ...common,
      name: 'listBatches',
      method: 'GET',
      paths: ['/v1/batches'],
      summary: 'List batches',
      query: batchListQuerySchema,
      reply: { status: 200, description: 'A page of batches, newest first.', schema: batchListSchema },
      errors: ['malformedRequest'],
      handle: (request) => listBatches(deps, request),
    },
    {
      ...common,
      name: 'getBatch',
      method: 'GET',
      paths: ['/v1/batches/:batchId'],
      summary: 'Get a batch',
      reply: { status: 200, description: 'The batch.', schema: batchSchema },
      errors: ['notFound'],
      handle: async (request) => {
        const batch = await batches.find(fileOwnerOf(principalOf(request)), { api, id: idOf(request) })
        return { body: batchJson(found(batch)) }
      },
    },
    {
      ...common,
      name: 'cancelBatch',
      method: 'POST',
      paths: ['/v1/batches/:batchId/cancel'],
      summary: 'Cancel a batch',
      description: 'Lines that have started finish and are charged. The others never start.',
      reply: { status: 200, description: 'The batch.', schema: batchSchema },
      errors: ['notFound', 'conflict'],
      handle: async (request) => {
        const owner = fileOwnerOf(principalOf(request))
        const batch = found(await batches.cancel(owner, { api, id: idOf(request) }, request.nowMs))
        if (batch.cancellingAtMs === null || isEnded(batch.status)) {
          const message = `The batch is ${batch.status}, so it can no longer be cancelled.`
          throw new GatewayError('conflict', { message })
        }
        return { body: batchJson(batch) }
      },
    },
  ]
}

async function listBatches({ batches }: BatchEndpointDeps, request: EndpointRequest): Promise<EndpointReply> {
  const { query } = request
  const limit = limitOf(query, { fallback: 20, max: 100 })
  // One row more than requested tells whether there is a next page.
  const asked = { api, after: afterOf(query), before: null, limit: limit + 1 } as const
  const listed = await batches.list(fileOwnerOf(principalOf(request)), asked)
  const data = listed.slice(0, limit)
  const idAt = (position: number) => {
    const batch = data.at(position)
    return batch === undefined ? null : publicBatchId(api, batch.id)
  }
  return {
    body: {
      object: 'list',
      data: data.map(batchJson),
      first_id: idAt(0),
      last_id: idAt(-1),
      has_more: listed.length > limit,
    },
  }
}

function afterOf(query: Query): Uuid | null {
  const text = textOf(query, 'after')
  const id = text === null ? null : parseBatchId(api, text)
  if (id === undefined) throw refuseValue('after', 'the id of a batch')
  return id
}

function idOf({ params }: EndpointRequest): Uuid {
  const id = parseBatchId(api, params['batchId'] ?? '')
  if (id === undefined) throw batchNotFound()
  return id
}

function found(batch: Batch | null): Batch {
  if (batch === null) throw batchNotFound()
  return batch
}

function batchNotFound(): GatewayError {
  return new GatewayError('notFound', { message: 'Batch not found.' })
}
