import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { booksQuery, useOwnerId } from '../api/books.ts'
import { Money } from '../ui/money.tsx'
import { useLiveWallet } from './use-live-wallet.ts'
import { useWallet } from './wallet.ts'
import { seesBooks } from './wallet-rights.ts'

// Events refresh the balance at once. This is for tabs without them, such as one tab too many.
const refreshMs = 30_000

/** The available balance, on every page. It links to the page for buying credit. */
export function HeaderBalance() {
  const wallet = useWallet()
  const ownerId = useOwnerId(wallet)
  const isShown = ownerId !== undefined && seesBooks(wallet)
  useLiveWallet(isShown ? ownerId : undefined)
  const { data } = useQuery({ ...booksQuery(ownerId), enabled: isShown, refetchInterval: refreshMs })
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
