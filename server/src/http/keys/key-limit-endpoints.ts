import { Type } from 'typebox'
import { readKeyLimits } from '#control/keys/read-key-limits.ts'
import { openKeyAccount } from '#control/keys/read-keys.ts'
import type { EffectiveLimit, StandingLimit } from '#domain/limits/effective-limit.ts'
import { usdJson } from '#domain/money/nano-usd.ts'
import type { JsonObject } from '#lib/json.ts'
import type { KeyLimitReads } from '#ports/keys.ts'
import type { Memberships } from '#ports/organizations.ts'
import { clientOf, type Endpoint } from '../endpoint.ts'
import { optionalText, usd } from '../schema-types.ts'
import { whichOf } from './organization-key-endpoints.ts'

export interface KeyLimitDeps {
  readonly limits: KeyLimitReads
  readonly memberships: Memberships
}

/** Which of all limits ends the spend of a key first: its own, or one of those above it. */
export function keyLimitEndpoints({ limits, memberships }: KeyLimitDeps): Endpoint[] {
  const common = {
    method: 'GET',
    tag: 'Keys',
    reply: { status: 200, description: 'The limits.', schema: keyLimitsSchema },
    errors: ['notFound'],
  } as const
  const own: Endpoint = {
    ...common,
    name: 'getKeyLimits',
    paths: ['/v1/keys/:id/limits'],
    summary: 'Read every limit that a key counts in, and the tightest',
    access: 'keys.manage',
    handle: async (request) => {
      const account = await openKeyAccount(memberships, clientOf(request), 'organization.keys.read')
      const which = { keyId: request.params['id'] ?? '', account }
      return { body: { data: renderLimits(await readKeyLimits(limits, which, request.nowMs)) } }
    },
  }
  const ofOrganization: Endpoint = {
    ...common,
    name: 'getOrganizationKeyLimits',
    paths: ['/v1/orgs/:orgId/keys/:keyId/limits'],
    summary: "Read every limit that an organization's key counts in, and the tightest",
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

function renderLimit(limit: StandingLimit): JsonObject {
  const [scope = '', window = null] = limit.kind.split('_')
  return {
    scope,
    window,
    owner_id: limit.ownerId,
    is_breaker: limit.isBreaker,
    limit: usdJson(limit.limit),
    taken: usdJson(limit.taken),
    left: usdJson(limit.left),
    resets_at: limit.resetsAtMs === null ? null : new Date(limit.resetsAtMs).toISOString(),
  }
}

const limitFields = Type.Object(
  {
    scope: Type.String({ description: 'Whose it is: `wallet`, `key`, `user`, `member`, `team`, `organization`' }),
    window: optionalText('`life`, `month`, `week`, `day`, `hour`, `minute`; null for the wallet'),
    owner_id: Type.String({ description: 'The wallet, key, person, member, team or organization' }),
    is_breaker: Type.Boolean({ description: 'A spend breaker, which counts what calls are expected to cost' }),
    limit: usd('For the wallet, its balance and credit line'),
    taken: usd('Held and spent; of the wallet what is held'),
    left: usd('What is left of it, never below 0'),
    resets_at: optionalText('When it begins anew, ISO 8601; null: never'),
  },
  { $id: 'KeyLimit' },
)

const keyLimitsSchema = Type.Object({
  data: Type.Object({
    effective: limitFields,
    limits: Type.Array(limitFields, { description: 'All that are set, the wallet first' }),
  }),
})
