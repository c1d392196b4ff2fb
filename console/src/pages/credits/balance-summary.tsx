import type { WalletBooks } from '../../api/books.ts'
import { toNano } from '../../lib/money.ts'
import { Money } from '../../ui/money.tsx'
import { Card } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'

/** What can be spent now, and which part of it ends when. */
export function BalanceSummary({ books }: { readonly books: WalletBooks | undefined }) {
  return (
    <Card title="Available">
      <p aria-live="polite" className="h-7 font-semibold text-xl">
        {books === undefined ? <Skeleton className="h-6 w-32" /> : <Money usd={books.available} />}
      </p>
      {books === undefined ? null : <Details books={books} />}
    </Card>
  )
}

function Details({ books }: { readonly books: WalletBooks }) {
  const isOwing = toNano(books.balance) < 0n
  return (
    <>
      <p className="mt-1 text-muted text-sm">
        Balance <Money usd={books.balance} />, of which running requests hold <Money usd={books.held} />.
      </p>
      {isOwing ? (
        <p className="mt-2 text-sm text-warn">
          The wallet owes money: a payment went back after its credit was spent. What you buy next pays it first.
        </p>
      ) : null}
      {books.expiring.map(({ id, left, expires_at: endsAt }) => (
        <p key={id} className="mt-1 text-muted text-sm">
          <Money usd={left} /> ends <Time iso={endsAt} />.
        </p>
      ))}
    </>
  )
}
