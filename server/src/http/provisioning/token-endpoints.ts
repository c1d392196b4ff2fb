import { Type } from 'typebox'
import { createScimToken, missingToken, rotateScimToken } from '#control/provisioning/manage-tokens.ts'
import type { JsonObject } from '#lib/json.ts'
import { isUuid, type Uuid } from '#lib/uuid.ts'
import type { Provisioning, ScimToken, ScimTokens } from '#ports/provisioning.ts'
import { auditStampOf } from '../author-of.ts'
import { type Endpoint, type EndpointRequest, organizationOf } from '../endpoint.ts'
import { requireFreshSession } from '../require-fresh-session.ts'
import {
  createdScimTokenSchema,
  newScimTokenSchema,
  provisioningSchema,
  rotateScimTokenSchema,
} from './token-schema.ts'

interface TokenDeps {
  readonly tokens: ScimTokens
  readonly provisioning: Pick<Provisioning, 'readOverview'>
  readonly publicOrigin: string | null
}

const root = '/api/orgs/:orgId/provisioning'
const common = { tag: 'Organizations', access: 'provisioning.manage' } as const

/** Provisioning of an organization, for its administrators. */
export function provisioningEndpoints(deps: TokenDeps): Endpoint[] {
  return [readEndpoint(deps), createEndpoint(deps), rotateEndpoint(deps), revokeEndpoint(deps)]
}

function readEndpoint({ tokens, provisioning, publicOrigin }: TokenDeps): Endpoint {
  return {
    ...common,
    name: 'getProvisioning',
    method: 'GET',
    paths: [root],
    summary: 'Get provisioning',
    reply: { status: 200, description: 'Tokens and state of provisioning.', schema: provisioningSchema },
    handle: async (request) => {
      const { organizationId } = organizationOf(request)
      const [listed, state] = await Promise.all([
        tokens.list(organizationId),
        provisioning.readOverview(organizationId),
      ])
      const { people, activePeople, groups, lastSyncAtMs } = state
      return {
        body: {
          data: {
            baseUrl: publicOrigin === null ? null : `${publicOrigin}/scim/v2`,
            people,
            activePeople,
            groups,
            lastSyncAt: isoOrNull(lastSyncAtMs),
            tokens: listed.map(renderToken),
            failures: state.failures.map(({ atMs, ...failure }) => ({ at: new Date(atMs).toISOString(), ...failure })),
          },
        },
      }
    },
  }
}

function createEndpoint({ tokens }: TokenDeps): Endpoint {
  return {
    ...common,
    name: 'createProvisioningToken',
    method: 'POST',
    paths: [`${root}/tokens`],
    summary: 'Create a provisioning token',
    body: newScimTokenSchema,
    reply: { status: 201, description: 'The token, including its secret.', schema: createdScimTokenSchema },
    errors: ['conflict', 'staleSession'],
    handle: async (request) => {
      requireFreshSession(request)
      const { token, secret } = await createScimToken(tokens, inputOf(request))
      return { body: { data: { ...renderToken(token), token: secret } } }
    },
  }
}

function rotateEndpoint({ tokens }: TokenDeps): Endpoint {
  return {
    ...common,
    name: 'rotateProvisioningToken',
    method: 'POST',
    paths: [`${root}/tokens/:tokenId/rotate`],
    summary: 'Rotate a provisioning token',
    description: 'Creates a token of the same name. The old one keeps working during the overlap.',
    body: rotateScimTokenSchema,
    reply: { status: 201, description: 'The new token, including its secret.', schema: createdScimTokenSchema },
    errors: ['notFound', 'staleSession'],
    handle: async (request) => {
      requireFreshSession(request)
      const { token, secret } = await rotateScimToken(tokens, { ...inputOf(request), tokenId: tokenIdOf(request) })
      return { body: { data: { ...renderToken(token), token: secret } } }
    },
  }
}

function revokeEndpoint({ tokens }: TokenDeps): Endpoint {
  return {
    ...common,
    name: 'revokeProvisioningToken',
    method: 'DELETE',
    paths: [`${root}/tokens/:tokenId`],
    summary: 'Revoke a provisioning token',
    description: 'The directory can no longer use it. People and groups stay.',
    reply: { status: 204, description: 'The token was revoked.', schema: Type.Null() },
    errors: ['notFound'],
    handle: async (request) => {
      const { organizationId } = organizationOf(request)
      const which = { organizationId, tokenId: tokenIdOf(request) }
      if (!(await tokens.revoke(which, auditStampOf(request)))) throw missingToken()
      return { status: 204 }
    },
  }
}

function inputOf(request: EndpointRequest) {
  const { organizationId } = organizationOf(request)
  return { organizationId, body: request.body, stamp: auditStampOf(request), nowMs: request.nowMs }
}

/** An invalid id is reported as not found. */
function tokenIdOf(request: EndpointRequest): Uuid {
  const tokenId = request.params['tokenId'] ?? ''
  if (!isUuid(tokenId)) throw missingToken()
  return tokenId
}

function renderToken(token: ScimToken): JsonObject {
  return {
    id: token.id,
    name: token.name,
    tokenPrefix: token.prefix,
    tokenSuffix: token.suffix,
    createdAt: new Date(token.createdAtMs).toISOString(),
    expiresAt: isoOrNull(token.expiresAtMs),
    lastUsedAt: isoOrNull(token.lastUsedAtMs),
  }
}

function isoOrNull(atMs: number | null): string | null {
  return atMs === null ? null : new Date(atMs).toISOString()
}
