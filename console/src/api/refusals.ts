import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from './client.ts'

/** Refused requests of the last seven days by reason, the most frequent first. */
export function refusalCountsQuery(wallet: { readonly query: { readonly organization?: string } }) {
  return queryOptions({
    queryKey: ['refusals', wallet.query.organization ?? null],
    queryFn: () => dataOf(api.GET('/v1/refusals', { params: { query: wallet.query } })),
  })
}
