import type { RequestTrace } from '../../../api/operated-requests.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Card } from '../../../ui/page.tsx'

type Attempt = RequestTrace['attempts'][number]

/** The upstreams that were asked, in order, with their own words. */
export function AttemptsCard({ attempts }: { readonly attempts: readonly Attempt[] }) {
  return (
    <Card title="Attempts">
      {attempts.length === 0 ? (
        <p className="text-muted text-sm">No provider was called.</p>
      ) : (
        <ol className="flex flex-col gap-3 text-sm">
          {attempts.map((attempt, index) => (
            <li key={`${index} ${attempt.account}`} className="border-line border-b pb-3 last:border-b-0 last:pb-0">
              <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
                <span className="font-medium">{attempt.account ?? attempt.provider}</span>
                <span className="text-muted">{attempt.model}</span>
                {attempt.own_key ? <Badge>Own key</Badge> : null}
                <Badge tone={attempt.outcome === 'answered' ? 'good' : 'warn'}>{attempt.outcome}</Badge>
                <span className="figures text-muted text-xs">
                  {attempt.status === null ? 'no response' : `HTTP ${attempt.status}`}, {String(attempt.duration_ms)} ms
                  {attempt.estimated_cost_usd === null ? '' : `, cost you about ${attempt.estimated_cost_usd} USD`}
                </span>
              </div>
              {attempt.said === null ? null : (
                <p className="mt-1 break-words font-mono text-muted text-xs">{attempt.said}</p>
              )}
            </li>
          ))}
        </ol>
      )}
    </Card>
  )
}
