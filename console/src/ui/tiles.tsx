import type { ReactNode } from 'react'
import { Skeleton } from './skeleton.tsx'

/** The headline figures of a page. A null value is on its way. */
export function Tiles({ tiles }: { readonly tiles: readonly (readonly [label: string, value: ReactNode])[] }) {
  return (
    <dl className="mb-5 grid grid-cols-2 gap-3 sm:grid-cols-4">
      {tiles.map(([label, value]) => (
        <div key={label} className="min-w-0 rounded-lg border border-line bg-surface px-4 py-3">
          <dt className="text-muted text-xs">{label}</dt>
          <dd className="figures mt-1 font-semibold text-xl">{value ?? <Skeleton className="h-7 w-24" />}</dd>
        </div>
      ))}
    </dl>
  )
}
