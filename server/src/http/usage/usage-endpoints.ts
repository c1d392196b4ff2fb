import { describeInsights } from '#control/usage/describe-insights.ts'
import { describeUsage } from '#control/usage/describe-usage.ts'
import type { ShareAnswers } from '#control/usage/share-answers.ts'
import { judgeOwnerFilters, openUsageScope } from '#control/usage/usage-scope.ts'
import type { Memberships } from '#ports/organizations.ts'
import type { UsageReads, UsageSubjects } from '#ports/usage.ts'
import type { Endpoint } from '../endpoint.ts'
import { scopeQuestionOf } from '../request-values.ts'
import { changesEndpoint } from './changes-endpoint.ts'
import { parseInsightsQuery, parseUsageQuery } from './parse-usage-query.ts'
import { renderInsights, renderUsage } from './render-usage.ts'
import { insightsQuerySchema, insightsSchema, usageQuerySchema, usageSchema } from './usage-schema.ts'

interface UsageEndpointDeps {
  readonly usage: UsageReads
  readonly subjects: UsageSubjects
  readonly memberships: Memberships
  readonly shareAnswers: ShareAnswers
}

/** Usage by owner and purpose, from rollups that are seconds old. */
export function usageEndpoints(deps: UsageEndpointDeps): Endpoint[] {
  const common = { method: 'GET', tag: 'Account', errors: ['malformedRequest', 'notFound', 'forbidden'] } as const
  const usage: Endpoint = {
    ...common,
    name: 'getUsage',
    paths: ['/v1/usage'],
    summary: 'Get usage for a period',
    description: 'Sums by model, key, application, member, team and day.',
    access: 'usage.read',
    query: usageQuerySchema,
    reply: {
      status: 200,
      description: 'Usage totals for the period, by model, key, application, and day.',
      schema: usageSchema,
    },
    handle: async (request) => {
      const question = parseUsageQuery(request.query, request.nowMs)
      const scope = await openUsageScope(deps.memberships, scopeQuestionOf(request))
      judgeOwnerFilters(scope, question.filters)
      return { body: renderUsage(question, await describeUsage(deps, scope, question)) }
    },
  }
  const insights: Endpoint = {
    ...common,
    name: 'getInsights',
    paths: ['/v1/insights'],
    summary: 'Get usage insights',
    description: 'Returns a heatmap, a time series, the top models, keys and applications, and latency.',
    access: 'insights.read',
    query: insightsQuerySchema,
    reply: {
      status: 200,
      description:
        'Usage trends: a heatmap, a time series, the top models, keys, and applications, and latency. At most 5 minutes old.',
      schema: insightsSchema,
    },
    handle: async (request) => {
      const question = parseInsightsQuery(request.query)
      const scope = await openUsageScope(deps.memberships, scopeQuestionOf(request))
      judgeOwnerFilters(scope, question.filters)
      const { nowMs } = request
      // The scope is part of the cache key, so that no account gets the response of another.
      const body = await deps.shareAnswers({ answer: 'insights', scope, question }, nowMs, async () =>
        JSON.stringify(renderInsights(question, await describeInsights(deps, scope, question, nowMs), nowMs)),
      )
      return { body }
    },
  }
  return [usage, insights, changesEndpoint(deps)]
}
