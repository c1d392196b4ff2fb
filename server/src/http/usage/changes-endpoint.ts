import { Type } from 'typebox'
import { type ChangesDescription, describeChanges } from '#control/usage/describe-changes.ts'
import { judgeOwnerFilters, openUsageScope } from '#control/usage/usage-scope.ts'
import type { ChangeParts } from '#domain/usage/explain-change.ts'
import { nanoUsd, usdJson } from '#domain/money/nano-usd.ts'
import type { JsonObject } from '#lib/json.ts'
import type { DayRange } from '#lib/utc-calendar.ts'
import type { Memberships } from '#ports/organizations.ts'
import type { UsageReads, UsageSubjects, UsageSums } from '#ports/usage.ts'
import type { Endpoint } from '../endpoint.ts'
import { scopeQuestionOf } from '../request-values.ts'
import { optionalText, usd } from '../schema-types.ts'
import { parseUsageQuery } from './parse-usage-query.ts'
import { usageQuerySchema } from './usage-schema.ts'

interface ChangesDeps {
  readonly usage: UsageReads
  readonly subjects: UsageSubjects
  readonly memberships: Memberships
}

/** What changed between a period and the one before it. */
export function changesEndpoint(deps: ChangesDeps): Endpoint {
  return {
    name: 'getChanges',
    method: 'GET',
    paths: ['/v1/insights/changes'],
    tag: 'Account',
    summary: 'Explain a change of spend',
    description:
      'Compares a period with the same number of days before it: by cause, model, key and member. Computed from usage sums.',
    access: 'insights.read',
    query: usageQuerySchema,
    reply: { status: 200, description: 'The change of spend and its causes.', schema: changesSchema },
    errors: ['malformedRequest', 'notFound', 'forbidden'],
    handle: async (request) => {
      const { range, filters } = parseUsageQuery(request.query, request.nowMs)
      const previous = { startMs: 2 * range.startMs - range.endMs, endMs: range.startMs }
      const scope = await openUsageScope(deps.memberships, scopeQuestionOf(request))
      judgeOwnerFilters(scope, filters)
      return { body: render(range, previous, await describeChanges(deps, scope, { range, previous, filters })) }
    },
  }
}

function render(range: DayRange, previous: DayRange, changes: ChangesDescription): JsonObject {
  return {
    since: new Date(range.startMs).toISOString(),
    until: new Date(range.endMs).toISOString(),
    previousSince: new Date(previous.startMs).toISOString(),
    ...renderChange(changes),
    causes: renderParts(changes.parts),
    leadingModels: {
      requests: changes.leading.requests,
      tokensPerRequest: changes.leading.tokens,
      price: changes.leading.price,
      cache: changes.leading.cache,
      newModels: changes.leading.newUse,
      endedModels: changes.leading.endedUse,
      failed: changes.leading.failed,
    },
    models: changes.models.map((one) => ({ model: one.name, ...renderChange(one), causes: renderParts(one.parts) })),
    keys: changes.keys.map((one) => ({ keyId: one.name, keyName: one.keyName, ...renderChange(one) })),
    ...(changes.members === null
      ? {}
      : {
          members: changes.members.map((one) => ({
            memberId: one.name,
            name: one.person?.name ?? null,
            ...renderChange(one),
          })),
        }),
    others: {
      models: renderRest(changes.rest.models),
      keys: renderRest(changes.rest.keys),
      ...(changes.rest.members === null ? {} : { members: renderRest(changes.rest.members) }),
    },
  }
}

function renderRest({ count, change }: ChangesDescription['rest']['models']): JsonObject {
  return { count, change: usdJson(change) }
}

function renderChange({ before, now }: { before: UsageSums; now: UsageSums }): JsonObject {
  return { change: usdJson(nanoUsd(now.spent - before.spent)), before: renderSums(before), now: renderSums(now) }
}

function renderSums({ spent, saved, requests, failed, promptTokens, completionTokens }: UsageSums): JsonObject {
  const tokens = promptTokens + completionTokens
  return { spend: usdJson(spent), cacheSavings: usdJson(saved), requests, failed, tokens }
}

function renderParts(parts: ChangeParts): JsonObject {
  return {
    requests: usdJson(parts.requests),
    tokensPerRequest: usdJson(parts.tokens),
    price: usdJson(parts.price),
    cache: usdJson(parts.cache),
    newModels: usdJson(parts.newUse),
    endedModels: usdJson(parts.endedUse),
  }
}

const amount = (description: string) => Type.Number({ description: `${description}, in USD. Negative if it fell.` })

const sumsSchema = Type.Object(
  {
    spend: usd('Amount charged'),
    cacheSavings: usd('Amount saved by cached tokens'),
    requests: Type.Integer(),
    failed: Type.Integer(),
    tokens: Type.Integer(),
  },
  { $id: 'ChangeSums' },
)

const causesSchema = Type.Object(
  {
    requests: amount('More or fewer requests'),
    tokensPerRequest: amount('Longer or shorter requests'),
    price: amount('Price per token, including another mix of input and output'),
    cache: amount('Share of cached tokens'),
    newModels: amount('Models that cost nothing in the previous period'),
    endedModels: amount('Models that are no longer used'),
  },
  { $id: 'ChangeCauses', description: 'The causes add up to the change exactly.' },
)

const leading = (description: string) => optionalText(`${description}. Null if it did not change.`)

const leadingSchema = Type.Object(
  {
    requests: leading('Model behind most of the change by number of requests'),
    tokensPerRequest: leading('Model behind most of the change by tokens per request'),
    price: leading('Model behind most of the change by price'),
    cache: leading('Model behind most of the change by cached tokens'),
    newModels: leading('New model with the largest spend'),
    endedModels: leading('Ended model with the largest spend before'),
    failed: leading('Model behind most of the change of failed requests'),
  },
  { $id: 'ChangeLeadingModels' },
)

const restSchema = Type.Object(
  { count: Type.Integer({ description: 'Number of others.' }), change: amount('Change of their spend') },
  { $id: 'ChangeRest' },
)

const figures = { change: amount('Change of spend'), before: sumsSchema, now: sumsSchema }

const changesSchema = Type.Object({
  since: Type.String({ description: 'Start of the period (inclusive), in ISO 8601 format.' }),
  until: Type.String({ description: 'End of the period (exclusive).' }),
  previousSince: Type.String({ description: 'Start of the previous period, which ends where this one starts.' }),
  ...figures,
  causes: causesSchema,
  leadingModels: leadingSchema,
  models: Type.Array(Type.Object({ model: Type.String(), ...figures, causes: causesSchema }), {
    description: 'Up to ten models with the largest change.',
  }),
  keys: Type.Array(
    Type.Object({
      keyId: Type.String(),
      keyName: optionalText('Name of the key, or null if it is no longer stored.'),
      ...figures,
    }),
    { description: 'Up to ten keys with the largest change.' },
  ),
  members: Type.Optional(
    Type.Array(
      Type.Object({
        memberId: optionalText('ID of the member, or null for shared keys.'),
        name: optionalText('Name of the person, or null for shared keys.'),
        ...figures,
      }),
      { description: 'Up to ten members with the largest change. Present only for an org_admin.' },
    ),
  ),
  others: Type.Object(
    { models: restSchema, keys: restSchema, members: Type.Optional(restSchema) },
    { description: 'Models, keys and members beyond the listed ones. A list and its others add up to the change.' },
  ),
})
