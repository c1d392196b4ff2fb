import { Type } from 'typebox'
import type { Principal } from '#domain/access/principal.ts'
import { nullableUsdJson, usdJson } from '#domain/money/nano-usd.ts'
import { exclusionRules } from '#domain/routing/explanation.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Quote, QuotedLimit } from '#pipeline/quote.ts'
import type { Arrival } from '#pipeline/types.ts'
import { type Endpoint, principalOf } from '../endpoint.ts'
import { limitProperties, renderLimit } from '../keys/standing-limit.ts'
import { textOf } from '../request-values.ts'
import { optionalText, optionalUsd, usd } from '../schema-types.ts'
import { quotedArrival } from './quoted-arrival.ts'
import { type FindEndpointDeps, findQuotedEndpoint } from './quoted-endpoint.ts'

interface QuoteEndpointDeps extends FindEndpointDeps {
  readonly quote: (arrival: Arrival, principal: Principal) => Promise<Quote>
}

/** The price of any inference request before it is made. */
export function quoteEndpoint(deps: QuoteEndpointDeps): Endpoint {
  return {
    name: 'createQuote',
    method: 'POST',
    paths: ['/v1/quote'],
    tag: 'Inference',
    summary: 'Get the price of a request before it is made',
    description:
      'Takes the body of any inference endpoint. Returns what each provider would charge, what would be held, and which limits would reject the request. No provider is called, and nothing is held or charged. Content filters and moderation are not applied.',
    access: 'key.read',
    takesConversation: true,
    query: Type.Object({
      endpoint: Type.Optional(
        Type.String({
          description:
            'Path of the endpoint that the body is for, such as `/v1/messages`. Defaults to `/v1/chat/completions` for a body with `messages`, and otherwise to the endpoint of the model.',
        }),
      ),
    }),
    body: Type.Object({ model: Type.Optional(Type.String()) }, { additionalProperties: true }),
    reply: { status: 200, description: 'The quote.', schema: quoteSchema },
    errors: refusals,
    handle: async (request) => {
      const { body, nowMs, query } = request
      const endpoint = findQuotedEndpoint(deps, { named: textOf(query, 'endpoint'), body, nowMs })
      const quote = await deps.quote(quotedArrival(request, endpoint), principalOf(request))
      return { body: { endpoint: endpoint.paths[0], ...renderQuote(quote) } }
    },
  }
}

/** What a request is rejected for before its hold. A hold that has no room is part of a quote. */
const refusals = [
  'malformedRequest',
  'missingRequiredField',
  'maxTokensInvalid',
  'invalidModelId',
  'unknownModel',
  'modelRetired',
  'modelNotPriced',
  'maxCostTooLow',
  'contextTooLong',
  'previousResponseNotFound',
  'unsupportedParam',
  'malformedToolMessages',
  'invalidToolsDefinition',
  'toolUseUnsupported',
  'invalidResponseFormatSchema',
  'embeddingOnChatEndpoint',
  'wrongEndpointForVideo',
  'modelEndpointMismatch',
  'customerSuspended',
  'runStopped',
  'runConflict',
  'modelNotAllowed',
  'freeQuotaUsed',
  'modelNotServed',
] as const

function renderQuote({ candidates, excluded, autoTier, hold, limits, typical }: Quote): JsonObject {
  const bound = limits.filter(({ binds }) => binds)
  return {
    object: 'quote',
    candidates: candidates.map(({ candidate, least, likely, worst }) => ({
      model: candidate.model.id,
      provider: candidate.account.vendor,
      billing: candidate.billing,
      least: usdJson(least),
      likely: nullableUsdJson(likely),
      worst: usdJson(worst),
    })),
    excluded: excluded.map(({ model, provider, rule }) => ({ model, provider, rule })),
    auto_tier: autoTier,
    hold: usdJson(hold),
    allowed: bound.length === 0,
    limits: limits.map(renderQuotedLimit),
    based_on_requests: typical?.requests ?? 0,
  }
}

function renderQuotedLimit(limit: QuotedLimit): JsonObject {
  const hidden = limit.isShared ? { limit: null, taken: null, left: null } : {}
  return { ...renderLimit(limit), ...hidden, binds: limit.binds }
}

const onlyOwn = 'Null if other members of the organization share the limit'

const quoteSchema = Type.Object(
  {
    object: Type.Literal('quote'),
    endpoint: Type.String({ description: 'Path of the endpoint that the quote is for.' }),
    candidates: Type.Array(
      Type.Object(
        {
          model: Type.String(),
          provider: Type.String(),
          billing: Type.Enum(['charged', 'free', 'own_key', 'test'], {
            description: 'Only `charged` costs anything.',
          }),
          least: usd('Cost if the whole prompt is read from a cache and nothing is generated'),
          likely: optionalUsd(
            'Cost with the output of your typical request for this model in the last 30 days. Null without such requests',
          ),
          worst: usd('Highest possible cost, with the longest output'),
        },
        { $id: 'QuotedCandidate' },
      ),
      { description: 'The providers that could serve the request, in the order in which they would be tried.' },
    ),
    excluded: Type.Array(
      Type.Object({
        model: Type.String(),
        provider: optionalText('Null if no provider of the model was considered.'),
        rule: Type.Enum([...exclusionRules], { description: 'Why it cannot serve the request.' }),
      }),
    ),
    auto_tier: optionalText('The tier that `auto` chose.'),
    hold: usd(
      'Amount that would be held when the request begins. It may grow while a response without a cap is streamed',
    ),
    allowed: Type.Boolean({ description: 'Whether wallet and limits would accept the request now.' }),
    limits: Type.Array(
      Type.Object(
        {
          ...limitProperties,
          limit: optionalUsd(`Amount of the limit, or balance plus credit line for the wallet. ${onlyOwn}`),
          taken: optionalUsd(`Amount held and spent; for the wallet, only the amount held. ${onlyOwn}`),
          left: optionalUsd(`Remaining amount, never below 0. ${onlyOwn}`),
          binds: Type.Boolean({ description: 'Whether this limit would reject the request now.' }),
        },
        { $id: 'QuotedLimit' },
      ),
      { description: 'All limits that the request counts in, starting with the wallet.' },
    ),
    based_on_requests: Type.Integer({
      description: "Number of your earlier requests that the first candidate's likely cost is based on.",
    }),
  },
  { $id: 'Quote' },
)
