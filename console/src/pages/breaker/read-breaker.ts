import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '../../api/client.ts'

type BreakerOwner = { readonly organizationId: string | null }

const readOwn = () => dataOf(api.GET('/api/user/circuit-breaker'))
export type Breaker = Awaited<ReturnType<typeof readOwn>>

/** The spend breaker of a person, or of an organization. */
export function breakerQuery({ organizationId }: BreakerOwner) {
  return queryOptions({
    queryKey: ['breaker', organizationId],
    queryFn: () =>
      organizationId === null
        ? readOwn()
        : dataOf(api.GET('/api/orgs/{orgId}/circuit-breaker', { params: { path: { orgId: organizationId } } })),
  })
}

interface BreakerChange {
  readonly cbEnabled: boolean
  /** Null resets a limit to the default. */
  readonly cbMinuteUsd: number | null
  readonly cbHourlyUsd: number | null
}

export function changeBreaker({ organizationId }: BreakerOwner, body: BreakerChange) {
  if (organizationId === null) return dataOf(api.PATCH('/api/user/circuit-breaker', { body }))
  const params = { path: { orgId: organizationId } }
  return dataOf(api.PATCH('/api/orgs/{orgId}/circuit-breaker', { params, body }))
}
