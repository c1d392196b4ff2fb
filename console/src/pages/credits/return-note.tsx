import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { CircleCheck, Clock, TriangleAlert } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { checkTopUp, type TopUp, topUpQuery } from '../../api/payments.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Money } from '../../ui/money.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { refreshMoney } from './refresh-money.ts'
import { mismatchWords, stateWords } from './state-words.ts'

const route = getRouteApi('/app/credits')

// A card payment is confirmed within seconds. A payment that takes longer waits for a bank.
const soonMs = 2_000
const soonTimes = 30
const laterMs = 15_000

interface ReturnProps {
  readonly ownerId: string
  readonly topUpId: string
  readonly isCancelled: boolean
}

/** The state of the order that a payer returns with. It is checked once, then polled until it is final. */
export function ReturnNote({ ownerId, topUpId, isCancelled }: ReturnProps) {
  const navigate = route.useNavigate()
  const check = useQuery({
    queryKey: ['top-up-check', ownerId, topUpId],
    queryFn: () => checkTopUp(ownerId, topUpId),
    enabled: !isCancelled,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const order = useQuery({
    ...topUpQuery(ownerId, topUpId),
    enabled: isCancelled || !check.isPending,
    refetchInterval: ({ state }) =>
      state.data?.state === 'open' ? (state.dataUpdateCount <= soonTimes ? soonMs : laterMs) : false,
  })
  const known = order.data ?? check.data
  const state = known?.state
  useEffect(() => {
    if (state !== undefined && state !== 'open') void refreshMoney()
  }, [state])
  const close = () =>
    void navigate({ search: ({ top_up: _paid, cancelled: _left, ...others }) => others, replace: true })
  if (known === undefined) {
    return order.error === null ? <Skeleton className="h-16 w-full" /> : <ErrorNote error={order.error} />
  }
  return (
    <Note order={known} isCancelled={isCancelled}>
      <Link
        to="/credits/$topUpId"
        params={{ topUpId }}
        search={({ top_up: _paid, cancelled: _left, ...others }) => others}
        className={buttonClass('plain', 'small')}
      >
        View order
      </Link>
      <Button size="small" kind="quiet" onClick={close}>
        Dismiss
      </Button>
    </Note>
  )
}

function Note({
  order,
  isCancelled,
  children,
}: {
  readonly order: TopUp
  readonly isCancelled: boolean
  readonly children: ReactNode
}) {
  const isWaiting = order.state === 'open'
  const isPaid = order.state === 'paid' && order.mismatch === null
  const Icon = isPaid ? CircleCheck : isWaiting ? Clock : TriangleAlert
  const surface = isPaid ? 'bg-good-soft' : isWaiting ? 'bg-accent-soft' : 'bg-warn-soft'
  return (
    <div
      role="status"
      className={`flex flex-wrap items-center gap-3 rounded-md border border-line px-4 py-3 ${surface}`}
    >
      <Icon size={18} aria-hidden="true" className="shrink-0" />
      <p className="min-w-48 flex-1 text-sm">{wordsOf(order, isCancelled)}</p>
      {isWaiting && isCancelled && order.checkout_url !== null ? (
        <a href={order.checkout_url} rel="noreferrer" className={buttonClass('plain', 'small')}>
          Continue to payment
        </a>
      ) : null}
      {children}
    </div>
  )
}

function wordsOf(order: TopUp, isCancelled: boolean): ReactNode {
  const { state, mismatch, credited } = order
  if (state === 'open' && isCancelled)
    return "You left the payment page and weren't charged. You can still pay this order."
  if (state === 'open') {
    return 'Waiting for the payment provider to confirm your payment. Cards take seconds; bank debits can take days. You can leave this page.'
  }
  if (mismatch !== null) return mismatchWords(mismatch)
  if (state !== 'paid') return stateWords(state).meaning
  return (
    <>
      <Money usd={credited} className="font-semibold" /> added to your balance.
    </>
  )
}
