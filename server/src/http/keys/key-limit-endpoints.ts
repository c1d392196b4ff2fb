import { Type } from 'typebox'
import { readKeyLimits } from '#control/keys/read-key-limits.ts'
import { openKeys } from '#control/keys/read-keys.ts'
import type { EffectiveLimit } from '#domain/limits/effective-limit.ts'
import type { JsonObject } from '#lib/json.ts'
import type { KeyLimitReads } from '#ports/keys.ts'
import type { Memberships } from '#ports/organizations.ts'
import type { Endpoint } from '../endpoint.ts'
import { scopeQuestionOf } from '../request-values.ts'
import { memberKeysQuery } from './key-endpoints.ts'
import { whichOf } from './organization-key-endpoints.ts'
import { limitProperties, renderLimit } from './standing-limit.ts'

interface KeyLimitDeps {
  readonly limits: KeyLimitReads
  readonly memberships: Memberships
}

/** The tightest of all limits on a key: the key's own, or one of its member, team or organization. */
export function keyLimitEndpoints({ limits, memberships }: KeyLimitDeps): Endpoint[] {
  const common = {
    method: 'GET',
    tag: 'Keys',
    reply: {
      status: 200,
      description: 'Every limit that applies to the key, and the one that runs out first.',
      schema: keyLimitsSchema,
    },
    errors: ['notFound'],
  } as const
  const own: Endpoint = {
    ...common,
    name: 'getKeyLimits',
    paths: ['/v1/keys/:id/limits'],
    query: memberKeysQuery,
    summary: 'Get the limits of a key',
    description: 'Returns every limit that applies to the key, and the tightest one.',
    access: 'keys.manage',
    handle: async (request) => {
      const account = await openKeys(memberships, scopeQuestionOf(request), 'organization.keys.read')
      const which = { keyId: request.params['id'] ?? '', account }
      return { body: { data: renderLimits(await readKeyLimits(limits, which, request.nowMs)) } }
    },
  }
  const ofOrganization: Endpoint = {
    ...common,
    name: 'getOrganizationKeyLimits',
    paths: ['/v1/orgs/:orgId/keys/:keyId/limits'],
    summary: 'Get the limits of an organization key',
    description: 'Returns every limit that applies to the key, and the tightest one.',
    access: 'organization.keys.read',
    handle: async (request) => ({
      body: { data: renderLimits(await readKeyLimits(limits, whichOf(request), request.nowMs)) },
    }),
  }
  return [own, ofOrganization]
}

function renderLimits({ effective, limits }: EffectiveLimit): JsonObject {
  return { effective: renderLimit(effective), limits: limits.map(renderLimit) }
}

const limitFields = Type.Object(limitProperties, { $id: 'KeyLimit' })

const keyLimitsSchema = Type.Object({
  data: Type.Object({
    effective: limitFields,
    limits: Type.Array(limitFields, { description: 'All limits that are set, starting with the wallet.' }),
  }),
})
