import { useInfiniteQuery } from '@tanstack/react-query'
import { customerTransfersQuery } from '../../api/end-customers.ts'
import { useWallet } from '../../app/wallet.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Money } from '../../ui/money.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'

/** The transfers between the wallet and a customer's balance. Nothing if there was none. */
export function CustomerTransfers({ customerId }: { readonly customerId: string }) {
  const transfers = useInfiniteQuery(customerTransfersQuery(useWallet(), customerId))
  const rows = transfers.data?.pages.flatMap(({ data }) => data)
  if (transfers.error !== null) return <ErrorNote error={transfers.error} onRetry={() => void transfers.refetch()} />
  if (rows === undefined) return <Skeleton className="h-8 w-full" />
  if (rows.length === 0) return null
  return (
    <div className="flex flex-col gap-2">
      <ul aria-label="Transfers" className="divide-y divide-line border-line border-t">
        {rows.map(({ transaction_id: id, to, amount, created_at: createdAt }) => (
          <li key={id} className="flex items-baseline gap-4 py-1.5">
            <span className="flex-1">{to === 'customer' ? 'Added' : 'Taken back'}</span>
            <span className="text-muted text-xs">
              <Time iso={createdAt} />
            </span>
            <Money usd={amount} />
          </li>
        ))}
      </ul>
      {transfers.hasNextPage ? (
        <Button
          className="self-start"
          isBusy={transfers.isFetchingNextPage}
          onClick={() => void transfers.fetchNextPage()}
        >
          Show more
        </Button>
      ) : null}
    </div>
  )
}
