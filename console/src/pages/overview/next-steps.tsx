import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { WalletTotals } from '../../api/books.ts'
import { api, dataOf } from '../../api/client.ts'
import type { Generation } from '../../api/generations.ts'
import { useWallet } from '../../app/wallet.ts'
import { mayChangeKeys, mayPay } from '../../app/wallet-rights.ts'
import { toNano } from '../../lib/money.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/page.tsx'

const lowNano = 1_000_000_000n

/** The one step that the person needs before the next request, or nothing if everything is set up. */
export function NextSteps({
  books,
  requests,
}: {
  readonly books: WalletTotals | undefined
  readonly requests: readonly Generation[] | undefined
}) {
  const wallet = useWallet()
  const isPersonal = wallet.organizationId === null
  const keys = useQuery({ queryKey: ['keys', 'any'], queryFn: () => dataOf(api.GET('/v1/keys')), enabled: isPersonal })
  if (requests === undefined || (isPersonal && keys.data === undefined)) return null
  const hasKeys = !isPersonal || keys.data?.data.length !== 0
  if (requests.length === 0) return <FirstRequest hasKeys={hasKeys} mayCall={mayChangeKeys(wallet)} />
  if (!hasKeys) {
    return (
      <Step
        text="Create an API key to call models from your application. Its requests are charged to this balance."
        action={
          <Link to="/keys" className={buttonClass('primary')}>
            Create key
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
            ? 'Less than $1.00 available. Buy credit before requests are rejected.'
            : 'Less than $1.00 available. Ask an organization admin to buy credit before requests are rejected.'
        }
        action={
          <div className="flex flex-wrap gap-2">
            <Link to="/ledger" search={{ month: 'all', kind: 'charge' }} className={buttonClass()}>
              View charges
            </Link>
            {mayPay(wallet) ? (
              <Link to="/credits" className={buttonClass('primary')}>
                Buy credit
              </Link>
            ) : null}
          </div>
        }
      />
    )
  }
  return null
}

/** The playground creates keys of its own, so it needs the right to. */
function FirstRequest({ hasKeys, mayCall }: { readonly hasKeys: boolean; readonly mayCall: boolean }) {
  return (
    <Step
      text={
        mayCall
          ? 'No requests yet. Send one from the playground, where test models are free, or connect your application with an API key.'
          : 'No requests yet. Connect your application with an API key.'
      }
      action={
        <div className="flex flex-wrap gap-2">
          <Link to={hasKeys ? '/start' : '/keys'} className={buttonClass()}>
            {hasKeys ? 'Set up a tool' : 'Create key'}
          </Link>
          {mayCall ? (
            <Link to="/playground" className={buttonClass('primary')}>
              Open playground
            </Link>
          ) : null}
        </div>
      }
    />
  )
}

function Step({ text, action }: { readonly text: string; readonly action: ReactNode }) {
  return (
    <Card title="Next step">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <p className="max-w-2xl text-muted text-sm">{text}</p>
        {action}
      </div>
    </Card>
  )
}
