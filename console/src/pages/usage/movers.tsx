import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Changes } from '../../api/changes.ts'
import { type ExactNumber, toNano } from '../../lib/money.ts'
import type { DaySpan } from '../../lib/period.ts'
import { plural } from '../../lib/plural.ts'
import { Button } from '../../ui/button.tsx'
import { ChangeAmount } from './change-amount.tsx'

interface Mover {
  readonly id: string
  readonly label: string
  readonly change: ExactNumber
  /** Null if the requests have no filter. */
  readonly filter: { readonly model: string } | { readonly key: string } | { readonly member: string } | null
}

const shownMax = 3

/** The names with the largest changes, with links to their requests. */
export function Movers({
  title,
  rows,
  others,
  days,
}: {
  readonly title: string
  readonly rows: readonly Mover[]
  /** Those beyond the rows. */
  readonly others: Changes['others']['models'] | undefined
  readonly days: DaySpan
}) {
  const [isWhole, setWhole] = useState(false)
  const moved = rows.filter(({ change }) => toNano(change) !== 0n)
  const shown = isWhole ? moved : moved.slice(0, shownMax)
  return (
    <section aria-label={`Changes: ${title}`} className="min-w-0">
      <h3 className="mb-2 font-medium text-muted text-xs">{title}</h3>
      {moved.length === 0 ? <p className="text-muted text-sm">No change</p> : null}
      <ul className="flex flex-col gap-1.5 text-sm">
        {shown.map(({ id, label, change, filter }) => (
          <li key={id} className="flex min-w-0 items-baseline justify-between gap-3">
            {filter === null ? (
              <span className="truncate">{label}</span>
            ) : (
              <Link
                to="/requests"
                search={{ ...filter, period: days }}
                className="truncate rounded hover:underline"
                title={label}
              >
                {label}
              </Link>
            )}
            <ChangeAmount amount={change} />
          </li>
        ))}
        {isWhole && others !== undefined && Number(others.count) > 0 ? (
          <li className="flex min-w-0 items-baseline justify-between gap-3">
            <span className="truncate text-muted">{plural(Number(others.count), 'other')}</span>
            <ChangeAmount amount={others.change} />
          </li>
        ) : null}
      </ul>
      {moved.length > shownMax && !isWhole ? (
        <Button kind="plain" className="mt-1" onClick={() => setWhole(true)}>
          Show {moved.length - shownMax} more
        </Button>
      ) : null}
    </section>
  )
}
