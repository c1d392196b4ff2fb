import type { ReactNode } from 'react'
import { type ExactNumber, toNano } from '../../lib/money.ts'
import { percentOf } from '../../lib/percent-of.ts'
import { Money } from '../../ui/money.tsx'
import { Card } from '../../ui/page.tsx'
import { ShareBar } from '../../ui/share-bar.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

interface TopEntry {
  readonly id: string
  readonly name: string
  readonly label: ReactNode
  readonly spend: ExactNumber
}

const shownMax = 5

/** The entries with the most spend of the month, each with its share of the total. */
export function TopList({
  title,
  empty,
  entries,
  total,
}: {
  readonly title: string
  readonly empty: string
  readonly entries: readonly TopEntry[] | undefined
  readonly total: ExactNumber | undefined
}) {
  const whole = toNano(total ?? 0)
  const top = entries?.map((entry) => ({ ...entry, nano: toNano(entry.spend) })).filter(({ nano }) => nano > 0n)
  top?.sort((one, other) => (one.nano < other.nano ? 1 : one.nano > other.nano ? -1 : 0))
  return (
    <Card title={title}>
      {top === undefined ? (
        <Skeleton className="h-40 w-full" />
      ) : top.length === 0 ? (
        <p className="text-muted text-sm">{empty}</p>
      ) : (
        <ul className="flex flex-col gap-3">
          {top.slice(0, shownMax).map(({ id, name, label, nano }) => {
            const percent = percentOf(nano, whole)
            return (
              <li key={id} className="text-sm">
                <div className="mb-1 flex items-baseline gap-3">
                  <span className="min-w-0 flex-1 truncate">{label}</span>
                  <Money nano={nano} short />
                  <span className="figures w-10 text-right text-muted text-xs">{percent}%</span>
                </div>
                <ShareBar percent={percent} label={`${name}: ${percent}% of the spend`} />
              </li>
            )
          })}
        </ul>
      )}
    </Card>
  )
}
