import { Type } from 'typebox'
import { missingKey, readKey } from '#control/keys/read-keys.ts'
import { rotateKey } from '#control/keys/rotate-key.ts'
import { createFieldReader } from '#control/read-fields.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { isUuid, type Uuid } from '#lib/uuid.ts'
import type { KeyHolder } from '#ports/keys.ts'
import { changeAuthorOf } from '../author-of.ts'
import { clientOf, type Endpoint, type EndpointReply, type EndpointRequest } from '../endpoint.ts'
import { requireFreshSession } from '../require-fresh-session.ts'
import { changedKey, type KeyEndpointDeps, memberKeysQuery } from './key-endpoints.ts'
import { rotatedKeySchema } from './key-schema.ts'
import { whichOf } from './organization-key-endpoints.ts'
import { renderKey } from './render-key.ts'

/** Gives a key a new secret and keeps everything else, so that references to it stay valid. */
export function rotateKeyEndpoints(deps: KeyEndpointDeps): Endpoint[] {
  const common = {
    method: 'POST',
    tag: 'Keys',
    body: rotationSchema,
    reply: {
      status: 200,
      description: 'The key with its new secret. The secret is returned only once.',
      schema: rotatedKeySchema,
    },
    errors: ['notFound', 'staleSession'],
  } as const
  const own: Endpoint = {
    ...common,
    name: 'rotateKey',
    paths: ['/v1/keys/:id/rotate'],
    query: memberKeysQuery,
    summary: 'Rotate an API key',
    description: 'Returns a new secret. The previous secret keeps working for a grace period.',
    access: 'keys.manage',
    handle: async (request) => {
      const which = await changedKey(deps, request)
      if (!isUuid(which.keyId)) throw missingKey(which.keyId)
      return rotated(deps, which, request)
    },
  }
  const ofOrganization: Endpoint = {
    ...common,
    name: 'rotateOrganizationKey',
    paths: ['/v1/orgs/:orgId/keys/:keyId/rotate'],
    summary: 'Rotate an organization API key',
    description: 'Returns a new secret. The previous secret keeps working for a grace period.',
    access: 'organization.keys.change',
    handle: async (request) => rotated(deps, whichOf(request), request),
  }
  return [own, ofOrganization]
}

async function rotated(
  deps: KeyEndpointDeps,
  which: { keyId: Uuid; account: KeyHolder },
  request: EndpointRequest,
): Promise<EndpointReply> {
  const overlapS = createFieldReader(request.body).whole('overlap_seconds') ?? null
  const before = await readKey(deps.keys, which, request.nowMs)
  if (before.type === 'management') requirePerson(request)
  const { secret, formerUntilMs } = await rotateKey(deps, which, overlapS, changeAuthorOf(request))
  const data = renderKey(await readKey(deps.keys, which, request.nowMs))
  const former = formerUntilMs === null ? null : new Date(formerUntilMs).toISOString()
  return { body: { ...data, key: secret, former_expires_at: former, data } }
}

/** A thief with the new secret of a management key could take over the account. */
function requirePerson(request: EndpointRequest): void {
  if (clientOf(request).kind === 'session') return requireFreshSession(request)
  const message = 'A management key can only be rotated with a session on the website.'
  throw new GatewayError('forbidden', { message })
}

const rotationSchema = Type.Object({
  overlap_seconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 604_800,
      description:
        'How long the old secret keeps working, in seconds. Defaults to 3600; 0 disables it immediately; at most 604800 (7 days).',
    }),
  ),
})
