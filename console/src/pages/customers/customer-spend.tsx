import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { endCustomerUsageQuery } from '../../api/end-customers.ts'
import { SpendBars } from '../../app/spend-by-day.tsx'
import { useWallet } from '../../app/wallet.ts'
import { lastUtcDays } from '../../lib/utc-days.ts'
import { ErrorNote } from '../../ui/error-note.tsx'

const days = 30

/** Daily spend of a customer in the last 30 days. */
export function CustomerSpend({ customerId }: { readonly customerId: string }) {
  const wallet = useWallet()
  const [range] = useState(() => lastUtcDays(days, Date.now()))
  const { data, error, refetch } = useQuery(endCustomerUsageQuery(wallet, customerId, range))
  const usage = useMemo(() => {
    if (data === undefined) return undefined
    const { spent: spend, requests } = data.total
    return { days: data.data.map(({ date, spent: cost }) => ({ date, name: 'Spend', cost })), spend, requests }
  }, [data])
  if (error !== null) return <ErrorNote error={error} onRetry={() => void refetch()} />
  return <SpendBars label="Spend by day" height={160} range={range} usage={usage} />
}
