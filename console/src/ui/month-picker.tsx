import { ChevronLeft, ChevronRight } from 'lucide-react'
import { addMonths, monthName } from '../lib/utc-days.ts'
import { IconButton } from './button.tsx'

/** Steps from month to month, up to the current one. `month` is null while all time is shown. */
export function MonthPicker({
  month,
  today,
  onChange,
}: {
  readonly month: string | null
  /** The current month, such as `2026-11`. */
  readonly today: string
  readonly onChange: (month: string) => void
}) {
  const step = (count: number) => (month === null ? undefined : onChange(addMonths(month, count)))
  return (
    <div className="flex items-center gap-1">
      <IconButton label="Previous month" disabled={month === null} onClick={() => step(-1)}>
        <ChevronLeft size={16} aria-hidden="true" />
      </IconButton>
      <span aria-live="polite" className="figures min-w-36 text-center font-medium text-sm">
        {month === null ? 'All time' : monthName(month)}
      </span>
      <IconButton label="Next month" disabled={month === null || month >= today} onClick={() => step(1)}>
        <ChevronRight size={16} aria-hidden="true" />
      </IconButton>
    </div>
  )
}
