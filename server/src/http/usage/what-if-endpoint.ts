import { Type } from 'typebox'
import { addUpBy } from '#control/usage/add-up.ts'
import { narrowScope, noFilters, openUsageScope } from '#control/usage/usage-scope.ts'
import type { Catalogue } from '#domain/catalogue/catalogue.ts'
import { findModel } from '#domain/catalogue/find-model.ts'
import type { Model } from '#domain/catalogue/model.ts'
import { usdJson } from '#domain/money/nano-usd.ts'
import { formatUnitPrice } from '#domain/money/unit-price.ts'
import { testModel } from '#domain/test-models/test-models.ts'
import { insightsRangeOf } from '#domain/usage/insights-period.ts'
import { canStandIn, type ModelUse, whatIf } from '#domain/usage/what-if.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Memberships } from '#ports/organizations.ts'
import type { UsageReads } from '#ports/usage.ts'
import type { Endpoint } from '../endpoint.ts'
import { scopeQuestionOf, textOf } from '../request-values.ts'
import { ofOrganization, usd } from '../schema-types.ts'

interface WhatIfDeps {
  readonly usage: UsageReads
  readonly memberships: Memberships
  readonly catalogue: () => Catalogue
}

/** The cost of the last 30 days on one model. */
export function whatIfEndpoint({ usage, memberships, catalogue }: WhatIfDeps): Endpoint {
  return {
    name: 'getWhatIf',
    method: 'GET',
    paths: ['/v1/insights/what-if'],
    tag: 'Account',
    summary: 'Estimate costs on another model',
    description: 'Computes what the tokens of the last 30 days would have cost on another model.',
    access: 'insights.read',
    query: querySchema,
    reply: {
      status: 200,
      description: 'Cost of the text usage of the last 30 days, compared with its cost on the given model.',
      schema: replySchema,
    },
    errors: ['malformedRequest', 'missingRequiredField', 'notFound', 'modelNotFound', 'modelNotPriced'],
    handle: async (request) => {
      const model = readModel(catalogue(), textOf(request.query, 'model'))
      const scope = await openUsageScope(memberships, scopeQuestionOf(request))
      const { current } = insightsRangeOf('30d', request.nowMs, request.nowMs)
      const filter = narrowScope(scope, noFilters) ?? {}
      const rows = await usage.sum({ walletId: scope.walletId, range: current, by: ['model'], filter })
      const uses = addUpBy(rows, (row) => row.model).map(({ name, sums }) => ({ ...sums, model: name }))
      const base = model.price?.base ?? {}
      const kindOf = (id: string) => (catalogue().models.get(id) ?? testModel(id))?.kind
      const { compared, incomparable, spent, wouldCost } = whatIf(uses, base, kindOf)
      return {
        body: {
          model: model.id,
          since: new Date(current.startMs).toISOString(),
          until: new Date(current.endMs).toISOString(),
          prices: {
            prompt: formatUnitPrice(base.prompt ?? 0n),
            completion: formatUnitPrice(base.completion ?? 0n),
            request: formatUnitPrice(base.per_request ?? 0n),
          },
          assumes: ['no_cached_tokens', 'first_price_tier'],
          spent: usdJson(spent),
          would_cost: usdJson(wouldCost),
          by_model: compared.map((use) => ({ ...renderUse(use), would_cost: usdJson(use.wouldCost) })),
          not_compared: incomparable.map((use) => ({ ...renderUse(use), reason: use.reason })),
        },
      }
    },
  }
}

function readModel(catalogue: Catalogue, name: string | null): Model {
  if (name === null) {
    throw new GatewayError('missingRequiredField', { message: 'The query parameter model is required.' })
  }
  const model = findModel(catalogue, name) ?? testModel(name.toLowerCase())
  if (model === undefined) throw new GatewayError('modelNotFound', { message: `Model ${name} not found.` })
  if (canStandIn(model)) return model
  throw new GatewayError('modelNotPriced', {
    message: `${model.id} has no text price, so it can't be compared by tokens.`,
  })
}

function renderUse({ model, requests, promptTokens, completionTokens, spent }: ModelUse): JsonObject {
  const tokens = { prompt_tokens: promptTokens, completion_tokens: completionTokens }
  return { model, requests, ...tokens, spent: usdJson(spent) }
}

const querySchema = Type.Object({
  organization: ofOrganization,
  model: Type.String({ description: 'ID of the model to compare with.' }),
})

const use = {
  model: Type.String(),
  requests: Type.Integer(),
  prompt_tokens: Type.Integer(),
  completion_tokens: Type.Integer(),
  spent: usd('Amount charged'),
}

const replySchema = Type.Object({
  model: Type.String(),
  since: Type.String({ description: 'Start of the range (inclusive), in ISO 8601 format.' }),
  until: Type.String({ description: 'End of the range (exclusive), in ISO 8601 format.' }),
  prices: Type.Object(
    { prompt: Type.String(), completion: Type.String(), request: Type.String() },
    { description: 'Prices in USD per token and per request, as decimal strings.' },
  ),
  assumes: Type.Array(Type.String(), {
    description:
      'Assumptions of the estimate. `no_cached_tokens`: every prompt token is billed at the full price. `first_price_tier`: every prompt is billed at the first price tier.',
  }),
  spent: usd('Amount charged for all compared usage'),
  would_cost: usd('Cost of the same usage on the given model'),
  by_model: Type.Array(Type.Object({ ...use, would_cost: usd('Cost of the same usage on the given model') })),
  not_compared: Type.Array(
    Type.Object({
      ...use,
      reason: Type.Enum(['other_kind', 'unknown'], {
        description:
          'Why the model is not compared. `other_kind`: it does not generate text. `unknown`: it is no longer in the catalog.',
      }),
    }),
  ),
})
