import { openGenerationScope } from '#control/usage/usage-scope.ts'
import type { UsageScope } from '#domain/usage/usage-scope.ts'
import type { Memberships } from '#ports/organizations.ts'
import type { EndpointRequest } from '../endpoint.ts'
import { scopeQuestionOf } from '../request-values.ts'

/** Any key of a wallet sees the jobs of the wallet; a person what they could list. */
export async function openVideoScope(memberships: Memberships, request: EndpointRequest): Promise<UsageScope> {
  const { client } = request
  if (client?.kind === 'key') return { walletId: client.principal.walletId, only: null }
  return openGenerationScope(memberships, scopeQuestionOf(request))
}
