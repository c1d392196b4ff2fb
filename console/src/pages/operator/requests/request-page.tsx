import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { operatedRequestQuery, type RequestTrace } from '../../../api/operated-requests.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { ErrorNote } from '../../../ui/error-note.tsx'
import { Page } from '../../../ui/page.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { AttemptsCard } from './attempts-card.tsx'
import { ChargeCard } from './charge-card.tsx'
import { RequestFacts } from './request-facts.tsx'

const minuteMs = 60_000

/** Everything that is stored of one request, from one call. */
export function OperatedRequestPage() {
  const { requestId } = useParams({ from: '/app/operator/requests/$requestId' })
  const request = useQuery(operatedRequestQuery(requestId))
  return (
    <Page
      title="Request"
      description={<code className="break-all font-mono text-xs">{requestId}</code>}
      actions={request.data === undefined ? null : <Around request={request.data} />}
    >
      {request.error === null ? null : <ErrorNote error={request.error} onRetry={() => void request.refetch()} />}
      {request.data !== undefined ? (
        <div className="flex flex-col gap-4">
          <RequestFacts request={request.data} />
          <ChargeCard request={request.data} />
          <AttemptsCard attempts={request.data.attempts} />
        </div>
      ) : request.error === null ? (
        <Skeleton className="h-64 w-full" />
      ) : null}
    </Page>
  )
}

/** A client that repeats a request is charged for each, so its neighbors tell whether it did. */
function Around({ request: { key, received_at: at } }: { readonly request: RequestTrace }) {
  const moment = Date.parse(at)
  const [from, to] = [moment - minuteMs, moment + minuteMs].map((ms) => new Date(ms).toISOString())
  return (
    <Link
      to="/operator/requests"
      search={{ key: key.id, ...(from === undefined || to === undefined ? {} : { from, to }) }}
      className={buttonClass()}
    >
      Nearby requests of this key
    </Link>
  )
}
