import { Type } from 'typebox'
import { changeOwnKey, deleteOwnKey } from '#control/own-keys/change-own-key.ts'
import { createOwnKey } from '#control/own-keys/create-own-key.ts'
import { openOwnKeys, type OwnKeyDeps, readOwnKey } from '#control/own-keys/own-key-deps.ts'
import { actorOf, type AuditStamp } from '#domain/audit/audit-entry.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { OwnKeyHealth, StoredOwnKey } from '#ports/own-keys.ts'
import { clientOf, type Endpoint, type EndpointRequest } from '../endpoint.ts'
import {
  createdOwnKeySchema,
  newOwnKeySchema,
  ownKeyChangeSchema,
  ownKeyListSchema,
  ownKeyReplySchema,
} from './own-key-schema.ts'

const path = '/v1/management/byok-keys'
const common = { tag: 'Organizations', access: 'ownKeys.manage' } as const

/** The own keys of the organization of the calling management key. */
export function ownKeyEndpoints(deps: OwnKeyDeps): Endpoint[] {
  return [listEndpoint(deps), createEndpoint(deps), readEndpoint(deps), changeEndpoint(deps), deleteEndpoint(deps)]
}

function listEndpoint({ store, memberships }: OwnKeyDeps): Endpoint {
  return {
    ...common,
    name: 'listByokKeys',
    method: 'GET',
    paths: [path],
    summary: 'List BYOK keys',
    reply: { status: 200, description: 'The BYOK keys, without secrets.', schema: ownKeyListSchema },
    handle: async (request) => {
      const keys = await store.list(await openOwnKeys(memberships, clientOf(request)))
      return { body: { data: keys.map(renderOwnKey), total_count: keys.length } }
    },
  }
}

function createEndpoint(deps: OwnKeyDeps): Endpoint {
  return {
    ...common,
    name: 'createByokKey',
    method: 'POST',
    paths: [path],
    summary: 'Create a BYOK key',
    description: 'Without mappings, the gateway asks the provider for its models.',
    body: newOwnKeySchema,
    reply: {
      status: 201,
      description:
        "The new BYOK key and how the provider's models match the catalogue. Without `modelMappings`, Weir fetches the provider's model list.",
      schema: createdOwnKeySchema,
    },
    errors: ['missingRequiredField'],
    handle: async (request) => {
      const organizationId = await openOwnKeys(deps.memberships, clientOf(request))
      const { body, nowMs } = request
      const made = await createOwnKey(deps, { organizationId, body, stamp: stampOf(request, organizationId), nowMs })
      return { body: { data: renderOwnKey(made.key), sync: made.sync } }
    },
  }
}

function readEndpoint({ store, memberships }: OwnKeyDeps): Endpoint {
  return {
    ...common,
    name: 'readByokKey',
    method: 'GET',
    paths: [`${path}/:ownKeyId`],
    summary: 'Get a BYOK key',
    reply: { status: 200, description: 'The BYOK key, without its secret.', schema: ownKeyReplySchema },
    errors: ['notFound'],
    handle: async (request) => {
      const keys = await store.list(await openOwnKeys(memberships, clientOf(request)))
      return { body: { data: renderOwnKey(readOwnKey(keys, idOf(request))) } }
    },
  }
}

function changeEndpoint(deps: OwnKeyDeps): Endpoint {
  return {
    ...common,
    name: 'changeByokKey',
    method: 'PATCH',
    paths: [`${path}/:ownKeyId`],
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
      const organizationId = await openOwnKeys(deps.memberships, clientOf(request))
      const { body, nowMs } = request
      const stamp = stampOf(request, organizationId)
      const changed = await changeOwnKey(deps, { organizationId, id: idOf(request), body, stamp, nowMs })
      return { body: { data: renderOwnKey(changed) } }
    },
  }
}

function deleteEndpoint(deps: OwnKeyDeps): Endpoint {
  return {
    ...common,
    name: 'deleteByokKey',
    method: 'DELETE',
    paths: [`${path}/:ownKeyId`],
    summary: 'Delete a BYOK key',
    description: 'Deletes the key and its mappings.',
    reply: { status: 204, description: 'The BYOK key and its model mappings were deleted.', schema: Type.Null() },
    errors: ['notFound'],
    handle: async (request) => {
      const organizationId = await openOwnKeys(deps.memberships, clientOf(request))
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
    protocol: key.protocol,
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
