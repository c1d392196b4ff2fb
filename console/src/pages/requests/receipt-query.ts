import { queryOptions } from '@tanstack/react-query'
import { api, dataOf } from '../../api/client.ts'

export type Receipt = Awaited<ReturnType<typeof readReceipt>>

export function receiptQuery(wallet: { readonly query: { readonly organization?: string } }, requestId: string) {
  return queryOptions({
    queryKey: ['receipt', wallet.query.organization ?? null, requestId],
    queryFn: () => readReceipt({ ...wallet.query, id: requestId }),
    // A finished request never changes.
    staleTime: Number.POSITIVE_INFINITY,
  })
}

async function readReceipt(query: { readonly organization?: string; readonly id: string }) {
  return (await dataOf(api.GET('/v1/generation', { params: { query } }))).data
}
