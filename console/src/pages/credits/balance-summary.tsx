import type { WalletTotals } from '../../api/books.ts'
import { toNano } from '../../lib/money.ts'
import { Money } from '../../ui/money.tsx'
import { Card } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'

/** The available balance, and the credit that will expire. */
export function BalanceSummary({ books }: { readonly books: WalletTotals | undefined }) {
  return (
    <Card title="Available credit">
      <p aria-live="polite" className="h-7 font-semibold text-xl">
        {books === undefined ? <Skeleton className="h-6 w-32" /> : <Money usd={books.available} short />}
      </p>
      {books === undefined ? null : <Details books={books} />}
    </Card>
  )
}

function Details({ books }: { readonly books: WalletTotals }) {
  // With a credit line a negative balance is normal: the next invoice covers it.
  const isOwing = toNano(books.balance) < 0n && toNano(books.credit_line) === 0n
  return (
    <>
      <p className="mt-1 text-muted text-sm">
        Balance <Money usd={books.balance} />, including <Money usd={books.held} /> on hold for requests in progress.
      </p>
      {isOwing ? (
        <p className="mt-2 text-sm text-warn">
          Your balance is negative: a payment was refunded or disputed after its credit was spent. Your next top-up
          covers this first.
        </p>
      ) : null}
      {books.expiring.map(({ id, left, expires_at: endsAt }) => (
        <p key={id} className="mt-1 text-muted text-sm">
          <Money usd={left} /> expires <Time iso={endsAt} />.
        </p>
      ))}
    </>
  )
}
