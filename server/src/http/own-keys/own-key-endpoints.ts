import { Type } from 'typebox'
import { changeOwnKey, deleteOwnKey } from '#control/own-keys/change-own-key.ts'
import { createOwnKey } from '#control/own-keys/create-own-key.ts'
import { openOwnKeys, type OwnKeyDeps, readOwnKey } from '#control/own-keys/own-key-deps.ts'
import type { AccessAction } from '#domain/access/access-table.ts'
import { actorOf, type AuditStamp } from '#domain/audit/audit-entry.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { OwnKeyHealth, StoredOwnKey } from '#ports/own-keys.ts'
import { clientOf, type Endpoint, type EndpointRequest, organizationOf } from '../endpoint.ts'
import {
  createdOwnKeySchema,
  newOwnKeySchema,
  ownKeyChangeSchema,
  ownKeyListSchema,
  ownKeyProvidersSchema,
  ownKeyReplySchema,
} from './own-key-schema.ts'

/** How a client names the organization: by its own management key, or in the path. */
interface Way {
  readonly path: string
  readonly access: AccessAction
  /** Begins the names of the operations, which are unique. */
  readonly noun: string
  readonly open: (request: EndpointRequest) => Promise<Uuid>
}

/** The own keys of an organization: that of the calling management key, and that of the path. */
export function ownKeyEndpoints(deps: OwnKeyDeps): Endpoint[] {
  const ways: readonly Way[] = [
    {
      path: '/v1/management/byok-keys',
      access: 'ownKeys.manage',
      noun: 'Byok',
      open: (request) => openOwnKeys(deps.memberships, clientOf(request)),
    },
    {
      path: '/api/orgs/:orgId/own-keys',
      access: 'organization.ownKeys',
      noun: 'OrganizationOwn',
      open: async (request) => organizationOf(request).organizationId,
    },
  ]
  return [providersEndpoint(deps), ...ways.flatMap((way) => endpointsOf(deps, way))]
}

function endpointsOf(deps: OwnKeyDeps, way: Way): Endpoint[] {
  return [
    listEndpoint(deps, way),
    createEndpoint(deps, way),
    readEndpoint(deps, way),
    changeEndpoint(deps, way),
    deleteEndpoint(deps, way),
  ]
}

function providersEndpoint({ providers }: OwnKeyDeps): Endpoint {
  return {
    name: 'listOwnKeyProviders',
    method: 'GET',
    paths: ['/api/orgs/:orgId/own-key-providers'],
    tag: 'Organizations',
    access: 'organization.ownKeys',
    summary: 'List the providers that a BYOK key can name',
    reply: { status: 200, description: 'The providers, by name.', schema: ownKeyProvidersSchema },
    handle: async () => ({
      body: { data: [...providers.values()].map(({ slug, name, baseUrl }) => ({ slug, name, baseUrl })) },
    }),
  }
}

function common({ access }: Way) {
  return { tag: 'Organizations', access } as const
}

function listEndpoint({ store }: OwnKeyDeps, way: Way): Endpoint {
  return {
    ...common(way),
    name: `list${way.noun}Keys`,
    method: 'GET',
    paths: [way.path],
    summary: 'List BYOK keys',
    reply: { status: 200, description: 'The BYOK keys, without secrets.', schema: ownKeyListSchema },
    handle: async (request) => {
      const keys = await store.list(await way.open(request))
      return { body: { data: keys.map(renderOwnKey), total_count: keys.length } }
    },
  }
}

function createEndpoint(deps: OwnKeyDeps, way: Way): Endpoint {
  return {
    ...common(way),
    name: `create${way.noun}Key`,
    method: 'POST',
    paths: [way.path],
    summary: 'Create a BYOK key',
    description:
      'Without `modelMappings`, the gateway maps the models that the provider lists. If the provider has no list, it maps the models that the catalogue has for the provider.',
    body: newOwnKeySchema,
    reply: {
      status: 201,
      description:
        "The new BYOK key and how the provider's models match the catalogue. Without `modelMappings`, Weir fetches the provider's model list.",
      schema: createdOwnKeySchema,
    },
    errors: ['missingRequiredField'],
    handle: async (request) => {
      const organizationId = await way.open(request)
      const { body, nowMs } = request
      const made = await createOwnKey(deps, { organizationId, body, stamp: stampOf(request, organizationId), nowMs })
      return { body: { data: renderOwnKey(made.key), sync: made.sync } }
    },
  }
}

function readEndpoint({ store }: OwnKeyDeps, way: Way): Endpoint {
  return {
    ...common(way),
    name: `read${way.noun}Key`,
    method: 'GET',
    paths: [`${way.path}/:ownKeyId`],
    summary: 'Get a BYOK key',
    reply: { status: 200, description: 'The BYOK key, without its secret.', schema: ownKeyReplySchema },
    errors: ['notFound'],
    handle: async (request) => {
      const keys = await store.list(await way.open(request))
      return { body: { data: renderOwnKey(readOwnKey(keys, idOf(request))) } }
    },
  }
}

function changeEndpoint(deps: OwnKeyDeps, way: Way): Endpoint {
  return {
    ...common(way),
    name: `change${way.noun}Key`,
    method: 'PATCH',
    paths: [`${way.path}/:ownKeyId`],
    summary: 'Update a BYOK key',
    description: 'Fields that are omitted stay unchanged, including the secret.',
    body: ownKeyChangeSchema,
    reply: {
      status: 200,
      description: 'The updated BYOK key. Omitted fields and the secret are unchanged.',
      schema: ownKeyReplySchema,
    },
    errors: ['notFound'],
    handle: async (request) => {
      const organizationId = await way.open(request)
      const { body, nowMs } = request
      const stamp = stampOf(request, organizationId)
      const changed = await changeOwnKey(deps, { organizationId, id: idOf(request), body, stamp, nowMs })
      return { body: { data: renderOwnKey(changed) } }
    },
  }
}

function deleteEndpoint(deps: OwnKeyDeps, way: Way): Endpoint {
  return {
    ...common(way),
    name: `delete${way.noun}Key`,
    method: 'DELETE',
    paths: [`${way.path}/:ownKeyId`],
    summary: 'Delete a BYOK key',
    description: 'Deletes the key and its mappings.',
    reply: { status: 204, description: 'The BYOK key and its model mappings were deleted.', schema: Type.Null() },
    errors: ['notFound'],
    handle: async (request) => {
      const organizationId = await way.open(request)
      await deleteOwnKey(deps, { organizationId, id: idOf(request), stamp: stampOf(request, organizationId) })
      return { status: 204 }
    },
  }
}

function idOf({ params }: EndpointRequest): Uuid {
  return params['ownKeyId'] ?? ''
}

function stampOf(request: EndpointRequest, organizationId: Uuid): AuditStamp {
  return { chainId: organizationId, actor: actorOf(clientOf(request)), requestId: request.requestId }
}

/** An own key as its organization sees it. */
function renderOwnKey(key: StoredOwnKey): JsonObject {
  return {
    id: key.id,
    name: key.name,
    baseUrl: key.baseUrl,
    keyMask: key.keyMask,
    protocol: key.way.kind === 'protocol' ? key.way.protocol : null,
    provider: key.way.kind === 'provider' ? key.way.provider : null,
    fallbackMode: key.fallbackMode,
    modelMappings: key.mappings.map(({ model, upstreamModel, enabled }) => ({ model, upstreamModel, enabled })),
    scopedApiKeyIds: [...key.scopedKeyIds],
    enabled: key.enabled,
    health: renderHealth(key.health),
    createdAt: new Date(key.createdAtMs).toISOString(),
    updatedAt: new Date(key.updatedAtMs).toISOString(),
  }
}

function renderHealth({ consecutiveFailures, lastError, lastCheckedAtMs }: OwnKeyHealth): JsonObject {
  return {
    status: lastCheckedAtMs === null ? 'unknown' : consecutiveFailures === 0 ? 'healthy' : 'failing',
    lastCheckedAt: lastCheckedAtMs === null ? null : new Date(lastCheckedAtMs).toISOString(),
    lastError,
    consecutiveFailures,
  }
}
