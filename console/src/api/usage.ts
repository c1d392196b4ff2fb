import { queryOptions } from '@tanstack/react-query'
import { type DayRange, utcDay } from '../lib/utc-days.ts'
import { api, dataOf } from './client.ts'

export type Usage = Awaited<ReturnType<typeof fetchUsage>>

interface WalletQuery {
  readonly organization?: string
}

/** Usage of these days by model, key, application, and day or hour: of a wallet, or of one of its keys. */
export function usageQuery(
  wallet: { readonly query: WalletQuery },
  range: DayRange,
  granularity: 'day' | 'hour',
  keyId?: string,
) {
  const from = utcDay(range.fromMs)
  const to = utcDay(range.toMs - 1)
  const query = { ...wallet.query, period: 'custom', from, to, granularity }
  return queryOptions({
    queryKey: ['usage', wallet.query.organization ?? null, from, to, granularity, keyId ?? null],
    queryFn: () => fetchUsage(keyId === undefined ? query : { ...query, api_key_id: keyId }),
  })
}

interface UsageQuery extends WalletQuery {
  readonly period: string
  readonly from: string
  readonly to: string
  readonly granularity: string
  readonly api_key_id?: string
}

function fetchUsage(query: UsageQuery) {
  return dataOf(api.GET('/v1/usage', { params: { query } }))
}
