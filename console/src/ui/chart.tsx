import { Table2 } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { classNames } from '../lib/class-names.ts'
import { IconButton } from './button.tsx'
import type { ChartProps, Series } from './chart-props.ts'
import { Skeleton } from './skeleton.tsx'

// The chart library is as large as the rest of the console, so only pages with a chart load it.
const Drawn = lazy(() => import('./drawn-chart.tsx'))

/** Bars or lines, with a table of the figures one click away. */
export function Chart(props: ChartProps & { readonly aside?: ReactNode }) {
  const { label, height = 240, aside } = props
  const [isTable, setTable] = useState(false)
  return (
    <figure aria-label={label} className="min-w-0">
      <div className="mb-2 flex items-center justify-end gap-2">
        {aside}
        <IconButton
          label={isTable ? 'Show chart' : 'Show as table'}
          aria-pressed={isTable}
          onClick={() => setTable(!isTable)}
        >
          <Table2 size={16} aria-hidden="true" />
        </IconButton>
      </div>
      {isTable ? (
        <Figures {...props} />
      ) : (
        <>
          <div style={{ height }}>
            {isBlank(props) ? (
              <p className="flex h-full items-center justify-center rounded-md border border-line border-dashed text-muted text-sm">
                Nothing in this period.
              </p>
            ) : (
              <Suspense fallback={<Skeleton className="h-full w-full" />}>
                <Drawn {...props} height={height} />
              </Suspense>
            )}
          </div>
          <Legend series={props.series} />
        </>
      )}
    </figure>
  )
}

/** Whether there is nothing to draw: axes without a bar look like a chart that failed to load. */
function isBlank({ points }: ChartProps): boolean {
  return points.every(({ heights }) => Object.values(heights).every((height) => height === 0))
}

const swatches = ['bg-chart-1', 'bg-chart-2', 'bg-chart-3', 'bg-chart-4', 'bg-chart-5']

/** The colors of the series. A single series needs no legend. */
function Legend({ series }: { readonly series: readonly Series[] }) {
  if (series.length < 2) return null
  return (
    <ul className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-muted text-xs">
      {series.map(({ id, label }, index) => (
        <li key={id} className="flex items-center gap-1.5">
          <span aria-hidden="true" className={classNames('size-2 rounded-sm', swatches[index % swatches.length])} />
          {label}
        </li>
      ))}
    </ul>
  )
}

function Figures({ label, series, points, timeLabel = 'Time (UTC)' }: ChartProps) {
  return (
    <div tabIndex={0} role="region" aria-label={label} className="max-h-80 overflow-auto">
      <table className="figures w-full text-sm">
        <thead>
          <tr className="border-line border-b text-muted text-xs">
            <th scope="col" className="py-2 text-left font-medium">
              {timeLabel}
            </th>
            {series.map(({ id, label: text }) => (
              <th key={id} scope="col" className="py-2 pl-4 text-right font-medium">
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {points.map((point) => (
            <tr key={point.label} className="border-line border-b last:border-b-0">
              <th scope="row" className="py-1.5 text-left font-normal">
                {point.label}
              </th>
              {series.map(({ id }) => (
                <td key={id} className="py-1.5 pl-4 text-right">
                  {point.words[id] ?? '–'}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
