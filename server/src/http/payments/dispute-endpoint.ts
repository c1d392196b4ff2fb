import { Type } from 'typebox'
import type { TopUps } from '#ports/payments.ts'
import type { Endpoint } from '../endpoint.ts'
import { flagOf, limitOf } from '../request-values.ts'
import { disputeListSchema } from './dispute-schema.ts'
import { renderDispute } from './render-dispute.ts'

/** The disputes that banks have opened about payments, and until when they can be answered. */
export function disputeEndpoint(topUps: Pick<TopUps, 'listDisputes'>): Endpoint {
  return {
    tag: 'Operators',
    access: 'operators.payments.read',
    name: 'listDisputes',
    method: 'GET',
    paths: ['/api/admin/disputes'],
    summary: 'List disputes of payments',
    query: Type.Object({
      open: Type.Optional(
        Type.String({ description: 'If `true`, only disputes that are not decided; if `false`, only others.' }),
      ),
      limit: Type.Optional(Type.String({ description: 'Disputes to return, from 1 to 500. Defaults to 100.' })),
    }),
    reply: {
      status: 200,
      description: 'Open disputes, the nearest deadline first, then decided ones, newest first.',
      schema: disputeListSchema,
    },
    errors: ['malformedRequest'],
    handle: async ({ query }) => {
      const limit = limitOf(query, { fallback: 100, max: 500 })
      // One row more than requested tells whether there are more.
      const found = await topUps.listDisputes({
        topUpId: null,
        isOpen: flagOf(query, 'open') ?? null,
        limit: limit + 1,
      })
      return { body: { data: found.slice(0, limit).map(renderDispute), has_more: found.length > limit } }
    },
  }
}
