import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api, dataOf } from '../../api/client.ts'
import { useWallet } from '../../app/wallet.ts'
import { toNano } from '../../lib/money.ts'
import { buttonClass } from '../../ui/button.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Money } from '../../ui/money.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

/** What the wallet has, and what to do next. */
export function OverviewPage() {
  const wallet = useWallet()
  const credits = useQuery({
    queryKey: ['credits', wallet.organizationId],
    queryFn: () => dataOf(api.GET('/v1/credits', { params: { query: wallet.query } })),
  })
  const { data } = credits
  return (
    <Page title="Overview" description={`Wallet: ${wallet.name}`}>
      {credits.error === null ? null : <ErrorNote error={credits.error} onRetry={() => void credits.refetch()} />}
      <div className="grid gap-4 md:grid-cols-3">
        <Tile
          label="Balance"
          nano={data === undefined ? undefined : toNano(data.data.total_credits) - toNano(data.data.total_usage)}
        />
        <Tile label="Credited" nano={data === undefined ? undefined : toNano(data.data.total_credits)} />
        <Tile label="Spent" nano={data === undefined ? undefined : toNano(data.data.total_usage)} />
      </div>
      <Card title="What to do next" className="mt-4">
        <p className="mb-4 text-muted text-sm">
          A key lets a program call models. Create one and stream your first answer.
        </p>
        <Link to="/keys" className={buttonClass('primary')}>
          Create a key
        </Link>
      </Card>
    </Page>
  )
}

function Tile({ label, nano }: { readonly label: string; readonly nano: bigint | undefined }) {
  return (
    <Card>
      <div className="text-muted text-xs">{label}</div>
      <div className="mt-1 h-7 font-semibold text-xl">
        {nano === undefined ? <Skeleton className="h-6 w-28" /> : <Money nano={nano} />}
      </div>
    </Card>
  )
}
