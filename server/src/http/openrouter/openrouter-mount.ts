import { assert } from '#lib/assert.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Dialect } from '#dialects/dialect.ts'
import type { Endpoint, EndpointReply, ErrorForm } from '../endpoint.ts'
import type { InferenceEndpoint } from '../inference/inference-endpoint.ts'
import type { ModelOffersView, ModelView } from '../models/model-schema.ts'
import { openRouterPrefix } from './prefix.ts'
import { openRouterErrorBody } from './openrouter-error.ts'
import { shapeGeneration, shapeKey } from './shape-account.ts'
import { type AnswerShape, openRouterChat } from './shape-answers.ts'
import { createShapeModelList, shapeModel, shapeModelOffers } from './shape-models.ts'

type Shape = (body: unknown) => unknown

/** The endpoints of OpenRouter that we have, by name, and how their bodies differ from ours. */
const shapes: ReadonlyMap<string, () => Shape> = new Map<string, () => Shape>([
  [
    'listModels',
    () => {
      const shapeList = createShapeModelList()
      return (body) => shapeList(textOf(body))
    },
  ],
  ['getModel', () => (body) => ({ data: shapeModel(body as ModelView) })],
  ['listModelEndpoints', () => (body) => shapeModelOffers(body as ModelOffersView)],
  ['getKey', () => (body) => shapeKey(body as JsonObject)],
  ['getAuthKey', () => (body) => shapeKey(body as JsonObject)],
  ['getGeneration', () => (body) => shapeGeneration(body as JsonObject)],
  ['getCredits', () => same],
  ['listImageModels', () => same],
  ['getImage', () => same],
  ['listVideos', () => same],
  ['getVideo', () => same],
  ['getVideoContent', () => same],
])

const same: Shape = (body) => body

/** The endpoints as clients of OpenRouter call them, in its shapes. */
export function openRouterEndpoints(endpoints: readonly Endpoint[]): Endpoint[] {
  return endpoints.flatMap((endpoint) => {
    const createShape = shapes.get(endpoint.name)
    return createShape === undefined ? [] : [mountEndpoint(endpoint, createShape())]
  })
}

function mountEndpoint(endpoint: Endpoint, shape: Shape): Endpoint {
  return {
    ...endpoint,
    // No page of the console calls it, so it can be part of no view.
    name: `${endpoint.name}OfOpenRouter`,
    paths: endpoint.paths.map(mounted),
    errorForm,
    handle: async (request) => shapeReply(await endpoint.handle(request), shape),
  }
}

function shapeReply(reply: EndpointReply, shape: Shape): EndpointReply {
  return reply.body === undefined ? reply : { ...reply, body: shape(reply.body) }
}

const errorForm: ErrorForm = { errorBody: openRouterErrorBody }

export interface MountedInference extends InferenceEndpoint {
  readonly shape?: AnswerShape
}

/** The inference endpoints, without aliases; Messages keeps Anthropic's errors, as at OpenRouter. */
export function openRouterInference(endpoints: readonly InferenceEndpoint[]): MountedInference[] {
  return endpoints.map((endpoint) => ({
    ...endpoint,
    paths: endpoint.paths.slice(0, 1).map(mounted),
    dialect: withErrors(endpoint.dialect),
    ...(endpoint.dialect.name === 'chat' ? { shape: openRouterChat } : {}),
  }))
}

function withErrors(dialect: Dialect): Dialect {
  return dialect.name === 'messages' ? dialect : { ...dialect, errorBody: openRouterErrorBody }
}

function mounted(path: string): string {
  return `${openRouterPrefix}${path}`
}

function textOf(body: unknown): string {
  assert(typeof body === 'string', 'a listing is text')
  return body
}
