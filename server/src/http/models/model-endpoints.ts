import type { Client } from '#domain/access/client.ts'
import type { Catalogue } from '#domain/catalogue/catalogue.ts'
import { findModel } from '#domain/catalogue/find-model.ts'
import { lifeCycleAt } from '#domain/catalogue/life-cycle.ts'
import type { Model } from '#domain/catalogue/model.ts'
import type { FreeModels } from '#domain/routing/free-models.ts'
import { calledId, createFreeVariants } from '#domain/routing/free-variants.ts'
import type { Measured } from '#domain/routing/measurements.ts'
import type { OwnKeyStore, OwnKeyClient } from '#domain/routing/own-keys.ts'
import type { RoutingTable } from '#domain/routing/routing-table.ts'
import { canBeCalled, type FindServed } from '#domain/routing/served-models.ts'
import { createWithTestModels } from '#domain/test-models/with-test-models.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { Endpoint, EndpointRequest } from '../endpoint.ts'
import { flagOf } from '../request-values.ts'
import { type Availability, createModelLister, restrictionOf } from './list-models.ts'
import { modelListQuerySchema, modelListSchema, modelOffersSchema, modelSchema } from './model-schema.ts'
import { parseModalityFilter } from './parse-modality-filter.ts'
import { renderModel } from './render-model.ts'
import { renderModelOffers } from './render-model-offers.ts'

interface ModelEndpointDeps {
  readonly catalogue: () => Catalogue
  readonly freeModels: () => FreeModels
  readonly routing: () => RoutingTable
  readonly ownKeys: () => OwnKeyStore
  readonly findServed: FindServed
  /** Whether test models are enabled and listed. */
  readonly testModels: boolean
  /** A provider's recent performance with a model. */
  readonly measured: (host: { readonly vendor: string; readonly model: string }) => Measured
}

/** The models, public; with an organization's key, only the models that it allows. */
export function modelEndpoints(deps: ModelEndpointDeps): Endpoint[] {
  const { catalogue, freeModels, routing, measured } = deps
  const listModels = createModelLister()
  const freeVariants = createFreeVariants()
  const withTests = createWithTestModels(deps.testModels)
  const shown = (): Catalogue => withTests(freeVariants(catalogue(), freeModels()))
  const mayCallOf = (client: Client | null): MayCall | null => {
    const restriction = restrictionOf(client)
    return restriction && ((id) => restriction(calledId(catalogue(), id)))
  }
  const availabilityFor = (client: Client | null) => createAvailability(deps, client)
  const list: Endpoint = {
    name: 'listModels',
    method: 'GET',
    paths: ['/v1/models'],
    tag: 'Models',
    summary: 'List models',
    access: 'models.read',
    query: modelListQuerySchema,
    reply: { status: 200, description: 'All models that match the filter, in one page.', schema: modelListSchema },
    errors: ['malformedRequest'],
    handle: async ({ query, nowMs, client }) => {
      const asked = {
        modalities: parseModalityFilter(query['output_modalities']),
        available: flagOf(query, 'available'),
        ...availabilityFor(client),
        mayCall: mayCallOf(client),
      }
      return {
        headers: { 'content-type': 'application/json; charset=utf-8' },
        body: listModels(shown(), asked, nowMs),
      }
    },
  }
  const get: Endpoint = {
    name: 'getModel',
    method: 'GET',
    paths: ['/v1/models/:slug', '/v1/models/:author/:slug'],
    tag: 'Models',
    summary: 'Get a model',
    description: 'A `/` in the model ID may be written as `-`.',
    access: 'models.read',
    reply: {
      status: 200,
      description: 'The model. In a one-segment path, write the model ID with `-` in place of `/`.',
      schema: modelSchema,
    },
    errors: ['modelNotFound', 'modelRetired'],
    handle: async (request) => {
      const model = readModel(shown(), request, mayCallOf(request.client))
      return { body: renderModel(model, request.nowMs, availabilityFor(request.client).isAvailable(model)) }
    },
  }
  const offers: Endpoint = {
    name: 'listModelEndpoints',
    method: 'GET',
    paths: ['/v1/models/:author/:slug/endpoints', '/v1/models/:slug/endpoints'],
    tag: 'Models',
    summary: 'List the providers that serve a model',
    access: 'models.read',
    reply: { status: 200, description: 'The model with its providers.', schema: modelOffersSchema },
    errors: ['modelNotFound', 'modelRetired'],
    handle: async (request) => {
      const model = readModel(shown(), request, mayCallOf(request.client))
      const vendors = new Set(['test', ...routing().accounts.map(({ vendor }) => vendor)])
      return { body: renderModelOffers(model, measured, (vendor) => vendors.has(vendor)) }
    },
  }
  return [list, get, offers]
}

type MayCall = (modelId: string) => boolean

function createAvailability(deps: ModelEndpointDeps, client: Client | null): Availability {
  const [catalogue, ownKeys, holder] = [deps.catalogue(), deps.ownKeys(), ownKeyClientOf(client)]
  const served = deps.findServed(catalogue, deps.routing())
  const among = { catalogue, served, ownKeys, client: holder }
  const hasOwnKeys = holder?.organizationId != null && ownKeys.byOrganization.has(holder.organizationId)
  return { isAvailable: (model) => canBeCalled(model, among), servedToAll: hasOwnKeys ? null : served }
}

function ownKeyClientOf(client: Client | null): OwnKeyClient | null {
  if (client?.kind !== 'key') return null
  const { organizationId, keyId } = client.principal
  return { organizationId, keyId }
}

function readModel(catalogue: Catalogue, { params, nowMs }: EndpointRequest, mayCall: MayCall | null): Model {
  const { author, slug = '' } = params
  const name = decoded(author === undefined ? slug : `${author}/${slug}`)
  const model = findModel(catalogue, name)
  // A model that an organization does not allow is not found for its keys.
  const isHidden = model !== undefined && mayCall?.(model.id) === false
  if (model === undefined || isHidden) throw new GatewayError('modelNotFound', { message: `Model ${name} not found.` })
  if (lifeCycleAt(model, nowMs) === 'retired') {
    throw new GatewayError('modelRetired', { message: `The model ${model.id} has been retired.` })
  }
  return model
}

// Some clients encode the id twice, and some routers keep `%2F`. No id contains a percent sign.
function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
