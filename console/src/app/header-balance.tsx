import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { booksQuery, useOwnerId } from '../api/books.ts'
import { Money } from '../ui/money.tsx'
import { useWallet } from './wallet.ts'
import { seesBooks } from './wallet-rights.ts'

// Programs spend while the page is open. Payments on the page refresh the balance immediately.
const refreshMs = 30_000

/** The available balance, on every page. It links to the page for buying credit. */
export function HeaderBalance() {
  const wallet = useWallet()
  const ownerId = useOwnerId(wallet)
  const { data } = useQuery({
    ...booksQuery(ownerId),
    enabled: ownerId !== undefined && seesBooks(wallet),
    refetchInterval: refreshMs,
  })
  if (data === undefined) return null
  return (
    <Link
      to="/credits"
      className="shrink-0 rounded-md px-2 py-1 font-medium text-sm hover:bg-raised"
      title="Available credit"
    >
      <span className="sr-only">Available credit: </span>
      <Money usd={data.available} short />
    </Link>
  )
}
