import { Type } from 'typebox'
import { openGenerationScope } from '#control/usage/usage-scope.ts'
import { explainRefusal } from '#domain/ledger/explain-refusal.ts'
import { dayMs, endOf, startOf } from '#lib/utc-calendar.ts'
import type { Memberships } from '#ports/organizations.ts'
import type { RefusalLists } from '#ports/refusals.ts'
import type { Endpoint } from '../endpoint.ts'
import { idOf, momentOf, type Query, scopeQuestionOf } from '../request-values.ts'
import { ofOrganization } from '../schema-types.ts'

interface RefusalCountDeps {
  readonly refusals: Pick<RefusalLists, 'count'>
  readonly memberships: Memberships
}

/** Refused requests by reason. */
export function refusalCountEndpoint({ refusals, memberships }: RefusalCountDeps): Endpoint {
  return {
    name: 'countRefusals',
    method: 'GET',
    paths: ['/v1/refusals'],
    tag: 'Account',
    summary: 'Count refused requests by reason',
    description:
      'Counts every request that was refused before a provider was called, also those that the list of requests leaves out because there were too many.',
    access: 'account.read',
    query: refusalCountQuerySchema,
    reply: { status: 200, description: 'The counts, the highest first.', schema: refusalCountSchema },
    errors: ['malformedRequest', 'notFound'],
    handle: async (request) => {
      const range = rangeOf(request.query, request.nowMs)
      const keyId = idOf(request.query, 'api_key_id', 'a key id')
      const scope = await openGenerationScope(memberships, scopeQuestionOf(request))
      const counts = await refusals.count({ scope, keyId, ...range })
      return {
        body: {
          data: counts.map(({ error, count }) => ({
            error,
            reason: explainRefusal({ error, boundBy: null }).reason,
            count,
          })),
          total: counts.reduce((total, { count }) => total + count, 0),
        },
      }
    },
  }
}

/** Whole hours: the one in which the range begins and the one in which it ends are counted completely. */
function rangeOf(query: Query, nowMs: number): { fromMs: number; toMs: number } {
  const toMs = momentOf(query, 'to') ?? nowMs
  const fromMs = momentOf(query, 'from') ?? toMs - 7 * dayMs
  return { fromMs: startOf('hour', fromMs), toMs: endOf('hour', toMs - 1) }
}

const wanted = (description: string) => Type.Optional(Type.String({ description }))

const refusalCountQuerySchema = Type.Object({
  organization: ofOrganization,
  api_key_id: wanted('Count only requests made with this API key.'),
  from: wanted('Start of the range, in ISO 8601 format, rounded down to the hour. Defaults to 7 days before `to`.'),
  to: wanted('End of the range, in ISO 8601 format, rounded up to the hour. Defaults to now.'),
})

const refusalCountSchema = Type.Object({
  data: Type.Array(
    Type.Object(
      {
        error: Type.String({ description: 'Name of the error, as in the table of errors.' }),
        reason: Type.String({ description: 'What happened, in one sentence.' }),
        count: Type.Integer(),
      },
      { $id: 'RefusalCount' },
    ),
  ),
  total: Type.Integer({ description: 'Number of refused requests.' }),
})
