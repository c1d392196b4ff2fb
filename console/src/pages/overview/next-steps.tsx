import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { WalletBooks } from '../../api/books.ts'
import { api, dataOf } from '../../api/client.ts'
import type { Generation } from '../../api/generations.ts'
import { useWallet } from '../../app/wallet.ts'
import { toNano } from '../../lib/money.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/page.tsx'

const lowNano = 1_000_000_000n

/** The one thing that stands between this person and the next answer; nothing where all is well. */
export function NextSteps({
  books,
  requests,
}: {
  readonly books: WalletBooks | undefined
  readonly requests: readonly Generation[] | undefined
}) {
  const wallet = useWallet()
  const isPersonal = wallet.organizationId === null
  const keys = useQuery({ queryKey: ['keys', 'any'], queryFn: () => dataOf(api.GET('/v1/keys')), enabled: isPersonal })
  if (requests === undefined || (isPersonal && keys.data === undefined)) return null
  if (isPersonal && keys.data?.data.length === 0) {
    return (
      <Step
        text="A key lets a program call models and charges this wallet. Create one and send your first request."
        action={
          <Link to="/keys" className={buttonClass('primary')}>
            Create a key
          </Link>
        }
      />
    )
  }
  if (requests.length === 0) {
    return (
      <Step
        text="Nothing was called yet. Copy a key into your program, or try a model first: test models cost nothing."
        action={
          <Link to="/keys" className={buttonClass('primary')}>
            Show the keys
          </Link>
        }
      />
    )
  }
  if (books !== undefined && toNano(books.available) < lowNano) {
    return (
      <Step
        text={
          isPersonal
            ? 'Less than $1.00 is left. Ask the operator of this gateway for credit before requests are refused.'
            : 'Less than $1.00 is left. Ask an administrator of the organization for credit before requests are refused.'
        }
        action={
          <Link to="/ledger" search={{ month: 'all', kind: 'charge' }} className={buttonClass()}>
            See what was spent
          </Link>
        }
      />
    )
  }
  return null
}

function Step({ text, action }: { readonly text: string; readonly action: ReactNode }) {
  return (
    <Card title="What to do next">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <p className="max-w-2xl text-muted text-sm">{text}</p>
        {action}
      </div>
    </Card>
  )
}
