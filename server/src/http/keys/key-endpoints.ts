import { Type } from 'typebox'
import { changeKey, type KeyDeps } from '#control/keys/change-key.ts'
import { createKey } from '#control/keys/create-key.ts'
import { assertOwnKey, newKeyOwner, openKeys, type OpenedKeys, readKey } from '#control/keys/read-keys.ts'
import { revokeKey } from '#control/keys/revoke-key.ts'
import { userOf } from '#domain/access/client.ts'
import type { KeyType } from '#domain/access/principal.ts'
import { malformed } from '#errors/malformed.ts'
import type { KeyHolder } from '#ports/keys.ts'
import type { Memberships } from '#ports/organizations.ts'
import { changeAuthorOf } from '../author-of.ts'
import { clientOf, type Endpoint, type EndpointRequest } from '../endpoint.ts'
import { scopeQuestionOf } from '../request-values.ts'
import { requireFreshSession } from '../require-fresh-session.ts'
import { changedKeySchema, createdKeySchema, keyChangeSchema, keyListSchema, newKeySchema } from './key-schema.ts'
import { keyPageQuerySchema, listKeys } from './list-keys.ts'
import { parseKeyChange, parseKeyType, parseNewKey } from './parse-key.ts'
import { renderKey } from './render-key.ts'

export interface KeyEndpointDeps extends KeyDeps {
  readonly memberships: Memberships
}

const common = { tag: 'Keys', access: 'keys.manage' } as const

const memberKeysOf = Type.Optional(
  Type.String({
    description:
      'ID of one of your organizations, for requests with a website session: your own keys there, which the organization pays for.',
  }),
)

export const memberKeysQuery = Type.Object({ organization: memberKeysOf })

/** The keys of the client's own account: a person's keys, or the keys of a management key's organization. */
export function keyEndpoints(deps: KeyEndpointDeps): Endpoint[] {
  return [listEndpoint(deps), createEndpoint(deps), changeEndpoint(deps), deleteEndpoint(deps)]
}

function listEndpoint({ keys, memberships }: KeyEndpointDeps): Endpoint {
  return {
    ...common,
    name: 'listKeys',
    method: 'GET',
    paths: ['/v1/keys'],
    summary: 'List API keys',
    query: Type.Object({ organization: memberKeysOf, ...keyPageQuerySchema.properties }),
    errors: ['malformedRequest', 'notFound'],
    reply: {
      status: 200,
      description: 'The keys without their secrets, newest first by default.',
      schema: keyListSchema,
    },
    handle: async (request) => {
      const account = await openKeys(memberships, scopeQuestionOf(request), 'organization.keys.read')
      return listKeys(keys, { account, nowMs: request.nowMs }, request)
    },
  }
}

function createEndpoint(deps: KeyEndpointDeps): Endpoint {
  return {
    ...common,
    name: 'createKey',
    method: 'POST',
    paths: ['/v1/keys'],
    query: memberKeysQuery,
    summary: 'Create an API key',
    description: 'The response contains the secret. It is not shown again.',
    body: newKeySchema,
    reply: {
      status: 201,
      description: 'The created key with its secret. The secret is returned only once.',
      schema: createdKeySchema,
    },
    errors: ['missingRequiredField', 'conflict', 'staleSession', 'notFound', 'forbidden'],
    handle: async (request) => {
      const client = clientOf(request)
      const account = await changedAccount(deps, request)
      const type = newKeyType(request)
      if (type === 'management' && account.kind === 'member') throw malformed(noManagementKey)
      const created = await createKey(deps.keys, {
        owner: newKeyOwner(account),
        terms: { ...parseNewKey(request.body), type },
        author: changeAuthorOf(request),
        createdBy: userOf(client),
        ...(account.kind === 'member' ? { memberMax: account.keysMax } : {}),
      })
      return createdReply(deps, account, created, request.nowMs)
    },
  }
}

function changeEndpoint(deps: KeyEndpointDeps): Endpoint {
  return {
    ...common,
    name: 'changeKey',
    method: 'PATCH',
    paths: ['/v1/keys/:id'],
    query: memberKeysQuery,
    summary: 'Update an API key',
    description: 'Enables or disables a key, or changes its limit or its allowed addresses.',
    body: keyChangeSchema,
    reply: { status: 200, description: 'The updated key.', schema: changedKeySchema },
    errors: ['notFound', 'forbidden'],
    handle: async (request) => {
      const which = await changedKey(deps, request)
      await changeKey(deps, which, parseKeyChange(request.body), changeAuthorOf(request))
      return { body: { updated: true, data: renderKey(await readKey(deps.keys, which, request.nowMs)) } }
    },
  }
}

function deleteEndpoint(deps: KeyEndpointDeps): Endpoint {
  return {
    ...common,
    name: 'deleteKey',
    method: 'DELETE',
    paths: ['/v1/keys/:id'],
    query: memberKeysQuery,
    summary: 'Delete an API key',
    description: 'Requests in progress finish.',
    reply: {
      status: 204,
      description: 'The key is deleted. Requests already in progress finish.',
      schema: Type.Null(),
    },
    errors: ['notFound', 'forbidden'],
    handle: async (request) => {
      const which = await changedKey(deps, request)
      await revokeKey(deps, which, changeAuthorOf(request))
      return { status: 204 }
    },
  }
}

const noManagementKey = 'Remove keyType: management keys of an organization are created at /v1/orgs/{orgId}/keys.'

function changedAccount({ memberships }: KeyEndpointDeps, request: EndpointRequest): Promise<OpenedKeys> {
  return openKeys(memberships, scopeQuestionOf(request), 'organization.keys.change')
}

/** The key of the path, which the client may change. */
export async function changedKey(deps: KeyEndpointDeps, request: EndpointRequest) {
  const which = { keyId: request.params['id'] ?? '', account: await changedAccount(deps, request) }
  await assertOwnKey(deps.keys, which, request.nowMs)
  return which
}

/** A key must not create management keys: only a recently signed-in person can. */
export function newKeyType(request: EndpointRequest): KeyType {
  const type = clientOf(request).kind === 'session' ? parseKeyType(request.body) : 'standard'
  if (type === 'management') requireFreshSession(request)
  return type
}

/** The response to a creation: the key and its secret, and the key again in the field where newer clients expect it. */
export async function createdReply(
  { keys }: KeyDeps,
  account: KeyHolder,
  created: { id: string; secret: string },
  nowMs: number,
): Promise<{ status: number; body: unknown }> {
  const data = renderKey(await readKey(keys, { keyId: created.id, account }, nowMs))
  return { status: 201, body: { ...data, key: created.secret, data } }
}
