import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { dataOf } from './client.ts'
import { operators } from './operator.ts'

export interface OperatedRequestFilter {
  readonly id?: string
  readonly customer?: string
  readonly key?: string
  readonly model?: string
  readonly provider?: string
  readonly outcome?: string
  readonly error?: string
  readonly from?: string
  readonly to?: string
}

export type OperatedRequest = Awaited<ReturnType<typeof searchRequests>>['data'][number]
export type RequestTrace = Awaited<ReturnType<typeof readRequest>>

const pageSize = '50'

function searchRequests(filter: OperatedRequestFilter, before: string | null) {
  const query = { ...filter, limit: pageSize, ...(before === null ? {} : { before }) }
  return dataOf(operators.GET('/api/admin/requests', { params: { query } }))
}

function readRequest(requestId: string) {
  return dataOf(operators.GET('/api/admin/requests/{requestId}', { params: { path: { requestId } } }))
}

/** Requests of all customers, newest first. */
export function operatedRequestsQuery(filter: OperatedRequestFilter) {
  return infiniteQueryOptions({
    queryKey: ['operator', 'requests', filter],
    queryFn: ({ pageParam }) => searchRequests(filter, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })
}

export function operatedRequestQuery(requestId: string) {
  return queryOptions({
    queryKey: ['operator', 'requests', 'one', requestId],
    queryFn: () => readRequest(requestId),
  })
}
