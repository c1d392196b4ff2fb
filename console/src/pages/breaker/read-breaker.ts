import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '../../api/client.ts'

export type Breaker = Awaited<ReturnType<typeof readBreaker>>

const readBreaker = () => dataOf(api.GET('/api/user/circuit-breaker'))

/** The spend breaker of the person. Those of an organization are in `api/layers.ts`. */
export const breakerQuery = queryOptions({ queryKey: ['breaker', null], queryFn: readBreaker })

interface BreakerChange {
  readonly cbEnabled: boolean
  /** Null resets a limit to the default. */
  readonly cbMinuteUsd: number | null
  readonly cbHourlyUsd: number | null
}

export function changeBreaker(body: BreakerChange) {
  return dataOf(api.PATCH('/api/user/circuit-breaker', { body }))
}
