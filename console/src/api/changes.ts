import { queryOptions } from '@tanstack/react-query'
import { type DayRange, utcDay } from '../lib/utc-days.ts'
import { api, dataOf } from './client.ts'

export type Changes = Awaited<ReturnType<typeof readChanges>>

type WalletQuery = { readonly organization?: string }

/** What changed between these days and the same number of days before them. */
export function changesQuery(wallet: { readonly query: WalletQuery }, range: DayRange) {
  const [from, to] = [utcDay(range.fromMs), utcDay(range.toMs - 1)]
  return queryOptions({
    queryKey: ['changes', wallet.query.organization ?? null, from, to],
    queryFn: () => readChanges({ ...wallet.query, from, to }),
  })
}

function readChanges(query: WalletQuery & { from: string; to: string }) {
  return dataOf(api.GET('/v1/insights/changes', { params: { query: { ...query, period: 'custom' } } }))
}
