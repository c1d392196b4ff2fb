import { Type } from 'typebox'
import {
  changeConnection,
  type ConnectionDeps,
  createConnection,
  deleteConnection,
} from '#control/sign-on/connections.ts'
import { redirectUriOf, samlAddressesOf } from '#control/sign-on/sign-on-addresses.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Uuid } from '#lib/uuid.ts'
import { auditStampOf } from '../author-of.ts'
import { type Endpoint, organizationOf } from '../endpoint.ts'
import { requireFreshSession } from '../require-fresh-session.ts'
import { renderConnection } from './render-connection.ts'
import {
  connectionChangeSchema,
  connectionListSchema,
  connectionReplySchema,
  newConnectionSchema,
} from './sign-on-schema.ts'

export interface ConnectionEndpointDeps extends ConnectionDeps {
  readonly publicOrigin: string | null
}

const all = '/api/orgs/:orgId/sign-on/connections'
const one = `${all}/:connectionId`
const common = { tag: 'Organizations', access: 'signOn.manage' } as const

/** The identity providers of an organization. */
export function connectionEndpoints(deps: ConnectionEndpointDeps): Endpoint[] {
  return [listEndpoint(deps), createEndpoint(deps), changeEndpoint(deps), deleteEndpoint(deps)]
}

function listEndpoint({ store, publicOrigin }: ConnectionEndpointDeps): Endpoint {
  return {
    ...common,
    name: 'listSignOnConnections',
    method: 'GET',
    paths: [all],
    summary: 'List identity providers',
    reply: { status: 200, description: 'The identity providers, without secrets.', schema: connectionListSchema },
    handle: async (request) => {
      const { organizationId } = organizationOf(request)
      const connections = await store.listConnections(organizationId)
      const urls = publicOrigin === null ? null : addressesOf(publicOrigin, organizationId)
      return { body: { data: connections.map(renderConnection), urls } }
    },
  }
}

function createEndpoint(deps: ConnectionEndpointDeps): Endpoint {
  return {
    ...common,
    name: 'createSignOnConnection',
    method: 'POST',
    paths: [all],
    summary: 'Add an identity provider',
    description: 'It is not enabled yet: test it first.',
    body: newConnectionSchema,
    reply: { status: 201, description: 'The new identity provider.', schema: connectionReplySchema },
    errors: ['staleSession'],
    handle: async (request) => {
      requireFreshSession(request)
      const { organizationId } = organizationOf(request)
      const { body, nowMs } = request
      const created = await createConnection(deps, { organizationId, body, stamp: auditStampOf(request), nowMs })
      return { body: { data: renderConnection(created) } }
    },
  }
}

function changeEndpoint(deps: ConnectionEndpointDeps): Endpoint {
  return {
    ...common,
    name: 'changeSignOnConnection',
    method: 'PATCH',
    paths: [one],
    summary: 'Update an identity provider',
    description:
      'Fields that are omitted stay unchanged. New settings must be tested again, and are no longer enforced until then.',
    body: connectionChangeSchema,
    reply: { status: 200, description: 'The updated identity provider.', schema: connectionReplySchema },
    errors: ['notFound', 'conflict', 'staleSession'],
    handle: async (request) => {
      requireFreshSession(request)
      const { organizationId } = organizationOf(request)
      const { body, params, nowMs } = request
      const id = params['connectionId'] ?? ''
      const changed = await changeConnection(deps, { organizationId, id, body, stamp: auditStampOf(request), nowMs })
      return { body: { data: renderConnection(changed) } }
    },
  }
}

function deleteEndpoint(deps: ConnectionEndpointDeps): Endpoint {
  return {
    ...common,
    name: 'deleteSignOnConnection',
    method: 'DELETE',
    paths: [one],
    summary: 'Delete an identity provider',
    description: 'People who signed in with it keep their accounts and memberships.',
    reply: { status: 204, description: 'The identity provider was deleted.', schema: Type.Null() },
    errors: ['notFound', 'staleSession'],
    handle: async (request) => {
      requireFreshSession(request)
      const { organizationId } = organizationOf(request)
      const id = request.params['connectionId'] ?? ''
      await deleteConnection(deps, { organizationId, id, stamp: auditStampOf(request) })
      return { status: 204 }
    },
  }
}

/** What to enter at the provider. */
function addressesOf(publicOrigin: string, organizationId: Uuid): JsonObject {
  const { audience, recipient } = samlAddressesOf(publicOrigin, organizationId)
  return { redirect: redirectUriOf(publicOrigin, organizationId), entityId: audience, acs: recipient }
}
