import { addRoute, removeRoute } from '#control/operators/routes.ts'
import { createFieldReader } from '#control/read-fields.ts'
import type { Catalogue } from '#domain/catalogue/catalogue.ts'
import { lifeCycleAt } from '#domain/catalogue/life-cycle.ts'
import type { RoutingTable } from '#domain/routing/routing-table.ts'
import { malformed } from '#errors/malformed.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Operators } from '#ports/operators.ts'
import { changeAuthorOf } from '../author-of.ts'
import type { Endpoint } from '../endpoint.ts'
import {
  catalogueStateSchema,
  newRouteSchema,
  routeListSchema,
  routeQuerySchema,
  routeSchema,
} from './operator-schema.ts'

interface RouteEndpointDeps {
  readonly operators: Operators
  readonly catalogue: () => Catalogue
  readonly routing: () => RoutingTable
}

const common = { tag: 'Operators', access: 'operators.routes' } as const
const paths = ['/api/admin/routes']

/** The routes from models to accounts, and this process's state of both. */
export function routeEndpoints(deps: RouteEndpointDeps): Endpoint[] {
  return [listEndpoint(deps), addEndpoint(deps), removeEndpoint(deps), catalogueEndpoint(deps)]
}

function listEndpoint({ operators }: RouteEndpointDeps): Endpoint {
  return {
    ...common,
    access: 'operators.routes.read',
    name: 'listRoutes',
    method: 'GET',
    paths,
    summary: 'List routes',
    reply: {
      status: 200,
      description: 'The routes, grouped by pattern and listed in the order they are tried.',
      schema: routeListSchema,
    },
    handle: async () => {
      const routes = await operators.listRoutes()
      return { body: { data: routes.map(({ accountName, ...route }) => ({ account: accountName, ...route })) } }
    },
  }
}

function addEndpoint({ operators }: RouteEndpointDeps): Endpoint {
  return {
    ...common,
    name: 'addRoute',
    method: 'POST',
    paths,
    summary: 'Create a route',
    body: newRouteSchema,
    reply: {
      status: 201,
      description: 'The new route. Models that match its pattern are sent to the provider account.',
      schema: routeSchema,
    },
    errors: ['missingRequiredField', 'notFound'],
    handle: async (request) => {
      const reader = createFieldReader(request.body)
      const route = {
        pattern: reader.requiredText('pattern'),
        accountName: reader.requiredText('account'),
        upstreamModel: reader.nullableText('upstreamModel') ?? null,
        priority: reader.whole('priority') ?? 0,
      }
      await addRoute(operators, route, changeAuthorOf(request))
      const { accountName: account, ...rest } = route
      return { body: { account, ...rest } }
    },
  }
}

function removeEndpoint({ operators }: RouteEndpointDeps): Endpoint {
  return {
    ...common,
    name: 'removeRoute',
    method: 'DELETE',
    paths,
    summary: 'Delete a route',
    query: routeQuerySchema,
    reply: {
      status: 204,
      description: 'The route was deleted. The change takes effect within one second.',
      schema: {},
    },
    errors: ['malformedRequest', 'notFound'],
    handle: async (request) => {
      const { pattern, account } = request.query
      if (pattern === undefined || account === undefined) {
        throw malformed('Set the query parameters pattern and account.')
      }
      await removeRoute(operators, { pattern, accountName: account }, changeAuthorOf(request))
      return {}
    },
  }
}

function catalogueEndpoint({ catalogue, routing }: RouteEndpointDeps): Endpoint {
  return {
    ...common,
    access: 'operators.routes.read',
    name: 'getCatalogueState',
    method: 'GET',
    paths: ['/api/admin/catalogue'],
    summary: 'Get the loaded catalogue state',
    reply: {
      status: 200,
      description: 'Revisions and counts held in memory by the process that serves this request.',
      schema: catalogueStateSchema,
    },
    handle: async ({ nowMs }) => ({ body: describeState(catalogue(), routing(), nowMs) }),
  }
}

function describeState({ revision, models }: Catalogue, routing: RoutingTable, nowMs: number): JsonObject {
  let [listed, retired, unpriced] = [0, 0, 0]
  for (const model of models.values()) {
    if (lifeCycleAt(model, nowMs) === 'retired') retired += 1
    else if (model.listed) {
      listed += 1
      if (model.price === null && model.offers.every(({ price }) => price === null)) unpriced += 1
    }
  }
  const { revision: routingRevision, accounts } = routing
  return {
    revision,
    models: models.size,
    listed,
    retired,
    unpriced,
    routingRevision,
    enabledProviders: accounts.length,
  }
}
