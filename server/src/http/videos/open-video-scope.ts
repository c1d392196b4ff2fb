import { openGenerationScope } from '#control/usage/usage-scope.ts'
import type { UsageScope } from '#domain/usage/usage-scope.ts'
import type { Memberships } from '#ports/organizations.ts'
import type { EndpointRequest } from '../endpoint.ts'
import { scopeQuestionOf } from '../request-values.ts'

/** A key sees all jobs of its wallet; a person sees those they may list. */
export async function openVideoScope(memberships: Memberships, request: EndpointRequest): Promise<UsageScope> {
  const { client } = request
  if (client?.kind === 'key') return { walletId: client.principal.walletId, only: null }
  return openGenerationScope(memberships, scopeQuestionOf(request))
}
