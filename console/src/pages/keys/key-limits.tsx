import { useQuery } from '@tanstack/react-query'
import { toNano } from '../../lib/money.ts'
import { Badge } from '../../ui/badge.tsx'
import { BudgetBar } from '../../ui/budget-bar.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { LimitState } from '../../ui/limit-state.tsx'
import { Money } from '../../ui/money.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { effectiveInWords, limitInWords } from './limit-words.ts'
import { type KeyHolder, type KeyLimits, keyLimitsQuery } from '../../api/keys.ts'

type Limit = KeyLimits['effective']

/** The remaining spend of a key: its tightest limit, and every limit that applies. */
export function KeyLimitsSection({ holder, keyId }: { readonly holder: KeyHolder; readonly keyId: string }) {
  const limits = useQuery(keyLimitsQuery(holder, keyId))
  const { data } = limits
  return (
    <section aria-labelledby="key-limits">
      <h3 id="key-limits" className="mb-2 font-semibold text-sm">
        Remaining spend
      </h3>
      {limits.error === null ? null : <ErrorNote error={limits.error} onRetry={() => void limits.refetch()} />}
      {data === undefined ? (
        limits.error === null ? (
          <Skeleton className="h-32 w-full" />
        ) : null
      ) : (
        <>
          <Money usd={data.effective.left} short className="font-semibold text-xl" />
          <p className="mt-1 text-muted text-sm">{effectiveInWords(data.effective)}</p>
          <ul className="mt-3 divide-y divide-line rounded-lg border border-line">
            {data.limits.map((limit) => (
              <LimitRow key={keyOf(limit)} limit={limit} isEffective={keyOf(limit) === keyOf(data.effective)} />
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

function keyOf({ scope, window, owner_id }: Limit): string {
  return `${scope} ${window} ${owner_id}`
}

function LimitRow({ limit, isEffective }: { readonly limit: Limit; readonly isEffective: boolean }) {
  const name = limitInWords(limit)
  const [taken, whole] = [toNano(limit.taken), toNano(limit.limit)]
  // All that is taken of a balance is on hold: what was spent has left it.
  const [spent, held] = limit.scope === 'wallet' ? [0n, taken] : [taken, 0n]
  return (
    <li data-limit={name} className="px-3 py-2.5 text-sm">
      <div className="mb-1.5 flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <span className="flex min-w-0 flex-1 basis-56 items-center gap-2">
          {name}
          {isEffective ? <Badge tone="accent">Runs out first</Badge> : null}
          <LimitState taken={taken} whole={whole} />
        </span>
        <span>
          <Money nano={toNano(limit.left)} className="font-medium" />{' '}
          <span className="text-muted">
            left of <Money nano={whole} />
          </span>
        </span>
      </div>
      <BudgetBar label={name} spent={spent} held={held} budget={whole} />
      <p className="figures mt-1 text-muted text-xs">
        {limit.scope === 'wallet' ? 'On hold:' : 'Spent and on hold:'} <Money nano={taken} />
        {limit.resets_at === null ? null : (
          <>
            {', resets '}
            <Time iso={limit.resets_at} />
          </>
        )}
      </p>
    </li>
  )
}
