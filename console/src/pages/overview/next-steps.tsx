import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { WalletBooks } from '../../api/books.ts'
import { api, dataOf } from '../../api/client.ts'
import type { Generation } from '../../api/generations.ts'
import { useWallet } from '../../app/wallet.ts'
import { mayPay } from '../../app/wallet-rights.ts'
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
  const hasKeys = !isPersonal || keys.data?.data.length !== 0
  if (requests.length === 0) {
    return (
      <Step
        text="No model was called yet. Try one in the playground first: test models cost nothing. A program of yours needs a key."
        action={
          <div className="flex flex-wrap gap-2">
            <Link to={hasKeys ? '/start' : '/keys'} className={buttonClass()}>
              {hasKeys ? 'Set up a tool' : 'Create a key'}
            </Link>
            <Link to="/playground" className={buttonClass('primary')}>
              Open the playground
            </Link>
          </div>
        }
      />
    )
  }
  if (!hasKeys) {
    return (
      <Step
        text="A key lets a program call models and charges this wallet. Create one for your first program."
        action={
          <Link to="/keys" className={buttonClass('primary')}>
            Create a key
          </Link>
        }
      />
    )
  }
  if (books !== undefined && toNano(books.available) < lowNano) {
    return (
      <Step
        text={
          mayPay(wallet)
            ? 'Less than $1.00 is left. Add credit before requests are refused.'
            : 'Less than $1.00 is left. Ask an administrator of the organization for credit before requests are refused.'
        }
        action={
          <div className="flex flex-wrap gap-2">
            <Link to="/ledger" search={{ month: 'all', kind: 'charge' }} className={buttonClass()}>
              See what was spent
            </Link>
            {mayPay(wallet) ? (
              <Link to="/credits" className={buttonClass('primary')}>
                Add credit
              </Link>
            ) : null}
          </div>
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
