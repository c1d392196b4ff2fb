import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { usageQuery } from '../api/usage.ts'
import { lastUtcDays } from '../lib/utc-days.ts'
import { ErrorNote } from '../ui/error-note.tsx'
import { SpendBars } from './spend-bars.tsx'
import { useWallet } from './wallet.ts'

const days = 30

/** Daily spend of the last 30 days by model: of the wallet, or of one of its keys. */
export function SpendByDay({ keyId, height = 240 }: { readonly keyId?: string; readonly height?: number }) {
  const wallet = useWallet()
  const [range] = useState(() => lastUtcDays(days, Date.now()))
  const { data, error, refetch } = useQuery(usageQuery(wallet, range, 'day', keyId))
  const usage = useMemo(() => {
    if (data === undefined) return undefined
    const { spend, requests } = data.totals
    return { days: data.timeSeries.map(({ date, model, cost }) => ({ date, name: model, cost })), spend, requests }
  }, [data])
  if (error !== null) return <ErrorNote error={error} onRetry={() => void refetch()} />
  return <SpendBars label="Spend by day and model" height={height} range={range} usage={usage} />
}
