import { openGenerationScope } from '#control/generations/open-generation-scope.ts'
import { publicGenerationId } from '#domain/ledger/generation-id.ts'
import type { GenerationLists } from '#ports/account-reads.ts'
import type { Memberships } from '#ports/organizations.ts'
import { type Endpoint, principalOf } from '../endpoint.ts'
import { generationListQuerySchema, generationListSchema } from './generation-list-schema.ts'
import { parseGenerationListQuery } from './parse-generation-list-query.ts'
import { renderListedGeneration } from './render-listed-generation.ts'

/** Finished requests, page by page. */
export function generationListEndpoint(needs: { lists: GenerationLists; memberships: Memberships }): Endpoint {
  return {
    name: 'listGenerations',
    method: 'GET',
    paths: ['/v1/generations'],
    tag: 'Account',
    summary: 'List finished requests, newest first',
    access: 'account.read',
    query: generationListQuerySchema,
    reply: { status: 200, description: 'One page.', schema: generationListSchema },
    errors: ['malformedRequest'],
    handle: async (request) => {
      const asked = parseGenerationListQuery(request.query)
      const scope = await openGenerationScope(needs.memberships, principalOf(request))
      const { records, next } = await needs.lists.list({ ...asked, scope, nowMs: request.nowMs })
      return {
        body: {
          data: records.map(renderListedGeneration),
          next_cursor: next === null ? null : publicGenerationId(next),
        },
      }
    },
  }
}
