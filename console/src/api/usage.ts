import { queryOptions } from '@tanstack/react-query'
import { type DayRange, utcDay } from '../lib/utc-days.ts'
import { api, dataOf } from './client.ts'

export type Usage = Awaited<ReturnType<typeof fetchUsage>>

type WalletQuery = { readonly organization?: string }

/** Usage of these days by model, key, application, and day or hour. */
export function usageQuery(wallet: { readonly query: WalletQuery }, range: DayRange, granularity: 'day' | 'hour') {
  const from = utcDay(range.fromMs)
  const to = utcDay(range.toMs - 1)
  return queryOptions({
    queryKey: ['usage', wallet.query.organization ?? null, from, to, granularity],
    queryFn: () => fetchUsage({ ...wallet.query, period: 'custom', from, to, granularity }),
  })
}

function fetchUsage(query: WalletQuery & { period: string; from: string; to: string; granularity: string }) {
  return dataOf(api.GET('/v1/usage', { params: { query } }))
}
