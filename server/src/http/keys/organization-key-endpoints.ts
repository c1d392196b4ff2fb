import type { KeyAccount } from '#domain/access/key-account.ts'
import { Type } from 'typebox'
import { changeKey } from '#control/keys/change-key.ts'
import { createKey } from '#control/keys/create-key.ts'
import { placeOrganizationKey } from '#control/keys/place-organization-key.ts'
import { readKey } from '#control/keys/read-keys.ts'
import { revokeKey } from '#control/keys/revoke-key.ts'
import { userOf } from '#domain/access/client.ts'
import { assert } from '#lib/assert.ts'
import type { KeyQuery } from '#ports/keys.ts'
import { changeAuthorOf } from '../author-of.ts'
import { clientOf, type Endpoint, type EndpointRequest, organizationOf } from '../endpoint.ts'
import { createdReply, type KeyEndpointDeps, newKeyType } from './key-endpoints.ts'
import {
  changedKeySchema,
  createdKeySchema,
  keyChangeSchema,
  keyListSchema,
  newOrganizationKeySchema,
} from './key-schema.ts'
import { keyPageQuerySchema, listKeys } from './list-keys.ts'
import { flagOf, idOf } from '../request-values.ts'
import { parseKeyChange, parseKeyPlace, parseNewKey } from './parse-key.ts'
import { renderKey } from './render-key.ts'

const common = { tag: 'Keys', access: 'organization.keys.change' } as const

/**
 * The keys of an organization, which its wallet pays for. A team_admin can see and change only those of their own team.
 */
export function organizationKeyEndpoints(deps: KeyEndpointDeps): Endpoint[] {
  const { keys } = deps
  const list: Endpoint = {
    ...common,
    access: 'organization.keys.read',
    name: 'listOrganizationKeys',
    method: 'GET',
    paths: ['/v1/orgs/:orgId/keys'],
    summary: "List an organization's API keys",
    query: organizationKeyQuerySchema,
    errors: ['malformedRequest'],
    reply: {
      status: 200,
      description: 'The keys without their secrets, newest first by default.',
      schema: keyListSchema,
    },
    handle: async (request) => {
      const choice = chosenKeys(request)
      if (choice === null) return { body: { keys: [], data: [], total_count: 0, next_cursor: null } }
      return listKeys(keys, { account: accountOf(request), ...choice, nowMs: request.nowMs }, request)
    },
  }
  const change: Endpoint = {
    ...common,
    name: 'changeOrganizationKey',
    method: 'PATCH',
    paths: ['/v1/orgs/:orgId/keys/:keyId'],
    summary: 'Update an organization API key',
    description: 'Enables or disables a key, or changes its limit or its allowed addresses.',
    body: keyChangeSchema,
    reply: { status: 200, description: 'The updated key.', schema: changedKeySchema },
    handle: async (request) => {
      await changeKey(deps, whichOf(request), parseKeyChange(request.body), changeAuthorOf(request))
      return { body: { updated: true, data: renderKey(await readKey(keys, whichOf(request), request.nowMs)) } }
    },
  }
  const remove: Endpoint = {
    ...common,
    name: 'deleteOrganizationKey',
    method: 'DELETE',
    paths: ['/v1/orgs/:orgId/keys/:keyId'],
    summary: 'Delete an organization API key',
    reply: {
      status: 204,
      description: 'The key is deleted. Requests already in progress finish.',
      schema: Type.Null(),
    },
    handle: async (request) => {
      await revokeKey(deps, whichOf(request), changeAuthorOf(request))
      return { status: 204 }
    },
  }
  return [list, createEndpoint(deps), change, remove]
}

const organizationKeyQuerySchema = Type.Object({
  ...keyPageQuerySchema.properties,
  member_id: Type.Optional(Type.String({ description: 'Return only keys of this member.' })),
  team_id: Type.Optional(Type.String({ description: 'Return only standard keys of this team and of its members.' })),
  shared: Type.Optional(Type.String({ description: 'If `true`, return only keys without a member and a team.' })),
})

/** The filters of the query within the client's reach; null if no key can match. */
function chosenKeys(request: EndpointRequest): Pick<KeyQuery, 'memberId' | 'teamId' | 'sharedOnly'> | null {
  const { grant } = organizationOf(request)
  const memberId = idOf(request.query, 'member_id', 'a member id')
  const asked = idOf(request.query, 'team_id', 'a team id')
  const own = grant.reach === 'own_team' ? grant.teamId : null
  if (own !== null && asked !== null && asked !== own) return null
  const teamId = own ?? asked
  return {
    ...(memberId === null ? {} : { memberId }),
    ...(teamId === null ? {} : { teamId }),
    ...(flagOf(request.query, 'shared') === true ? { sharedOnly: true } : {}),
  }
}

function createEndpoint(deps: KeyEndpointDeps): Endpoint {
  return {
    ...common,
    name: 'createOrganizationKey',
    method: 'POST',
    paths: ['/v1/orgs/:orgId/keys'],
    summary: 'Create an organization API key',
    body: newOrganizationKeySchema,
    reply: {
      status: 201,
      description:
        'The created key with its secret. The organization pays for its requests. The secret is returned only once.',
      schema: createdKeySchema,
    },
    errors: ['missingRequiredField', 'conflict', 'staleSession'],
    handle: async (request) => {
      const { organizationId, grant, membership } = organizationOf(request)
      const type = newKeyType(request)
      const maker = { organizationId, grant, manager: { memberId: membership.memberId, userId: membership.userId } }
      const wish = { type, ...parseKeyPlace(request.body) }
      const input = {
        terms: { ...parseNewKey(request.body), type },
        owner: await placeOrganizationKey(deps.memberships, maker, wish),
        author: changeAuthorOf(request),
        createdBy: userOf(clientOf(request)),
      }
      return createdReply(deps, accountOf(request), await createKey(deps.keys, input), request.nowMs)
    },
  }
}

function accountOf(request: EndpointRequest): KeyAccount {
  return { kind: 'organization', organizationId: organizationOf(request).organizationId }
}

/** The key in a path below an organization. */
export function whichOf(request: EndpointRequest): { keyId: string; account: KeyAccount } {
  const { key } = organizationOf(request)
  assert(key !== null, 'a path with a key has opened it')
  return { keyId: key.id, account: accountOf(request) }
}
