import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { refusalCountsQuery } from '../../api/refusals.ts'
import { useOrganization } from '../../app/wallet.ts'
import { percentOf } from '../../lib/percent-of.ts'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Card } from '../../ui/page.tsx'
import { ShareBar } from '../../ui/share-bar.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

const shownMax = 5
const count = new Intl.NumberFormat('en')

/** Refused requests of the last seven days by reason. Members see their own. */
export function RefusalCard() {
  const wallet = useOrganization()
  const refusals = useQuery(refusalCountsQuery(wallet))
  const { data, error } = refusals
  return (
    <Card
      title="Refused requests, last 7 days"
      aside={
        data === undefined || data.data.length === 0 ? undefined : (
          <Link to="/requests" search={{ status: 'refused' }} className="text-accent-strong text-sm hover:underline">
            View all
          </Link>
        )
      }
    >
      {error === null ? null : <ErrorNote error={error} onRetry={() => void refusals.refetch()} />}
      {data === undefined ? (
        error === null ? (
          <Skeleton className="h-12 w-full" />
        ) : null
      ) : data.data.length === 0 ? (
        <p className="text-muted text-sm">No request was refused.</p>
      ) : (
        <ul className="flex flex-col gap-3">
          {data.data.slice(0, shownMax).map((entry) => {
            const percent = percentOf(BigInt(entry.count), BigInt(data.total))
            return (
              <li key={entry.error} className="text-sm">
                <div className="mb-1 flex items-baseline gap-3">
                  <span className="min-w-0 flex-1">{entry.reason}</span>
                  <span className="figures">{count.format(Number(entry.count))}</span>
                  <span className="figures w-10 text-right text-muted text-xs">{percent}%</span>
                </div>
                <ShareBar percent={percent} label={`${entry.reason} ${percent}% of the refused requests`} />
              </li>
            )
          })}
        </ul>
      )}
    </Card>
  )
}
