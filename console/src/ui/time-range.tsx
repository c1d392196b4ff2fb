import { CalendarRange, Check } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { daySpanOf, formatDaySpan, parseDaySpan } from '../lib/period.ts'
import { utcDay } from '../lib/utc-days.ts'
import { Button } from './button.tsx'
import { type Choice, TextField } from './field.tsx'
import type { Search } from './filter-field.ts'
import { Popover } from './popover.tsx'
import { useSearchState } from './use-search-state.ts'

/** The time range of a list or chart: a preset, or days from one to another. It is the search parameter `period`. */
export function TimeRange({
  presets,
  usual,
  reset = {},
}: {
  readonly presets: readonly Choice[]
  /** The preset of a URL without `period`. */
  readonly usual: string
  /** Search parameters that another range replaces, such as a selection within it. */
  readonly reset?: Search
}) {
  const [{ period }, change] = useSearchState()
  const [isOpen, setOpen] = useState(false)
  const custom = parseDaySpan(period)
  const preset = presets.find(({ value }) => value === period) ?? presets.find(({ value }) => value === usual)
  const words = custom === undefined ? (preset?.label ?? '') : formatDaySpan(custom)
  const apply = (next: string) => {
    setOpen(false)
    change({ ...reset, period: next === usual ? undefined : next })
  }
  return (
    <Popover
      label="Time range"
      isOpen={isOpen}
      onOpen={setOpen}
      trigger={
        <Button aria-label={`Time range: ${words}`} icon={<CalendarRange size={15} aria-hidden="true" />}>
          <span className="figures">{words}</span>
        </Button>
      }
    >
      <div className="mb-2 flex flex-col">
        {presets.map(({ value, label }) => {
          const isChosen = custom === undefined && value === preset?.value
          return (
            <button
              key={value}
              type="button"
              aria-pressed={isChosen}
              onClick={() => apply(value)}
              className="flex items-center justify-between rounded px-2 py-1.5 text-left hover:bg-raised"
            >
              {label}
              {isChosen ? <Check size={14} aria-hidden="true" /> : null}
            </button>
          )
        })}
      </div>
      <CustomDays key={String(period)} range={custom} onApply={apply} />
    </Popover>
  )
}

function CustomDays({
  range,
  onApply,
}: {
  readonly range: ReturnType<typeof parseDaySpan>
  readonly onApply: (span: string) => void
}) {
  const [from, setFrom] = useState(range === undefined ? '' : utcDay(range.fromMs))
  const [to, setTo] = useState(range === undefined ? '' : utcDay(range.toMs - 1))
  const [isWrong, setWrong] = useState(false)
  const enter = (set: (day: string) => void, day: string) => {
    set(day)
    setWrong(false)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const days = parseDaySpan(`${from}..${to}`)
    if (days === undefined) setWrong(true)
    else onApply(daySpanOf(days))
  }
  return (
    <form onSubmit={submit} noValidate className="border-line border-t px-1 pt-2">
      <div className="grid grid-cols-2 gap-2">
        <TextField
          label="From (UTC)"
          type="date"
          value={from}
          onChange={({ target }) => enter(setFrom, target.value)}
        />
        <TextField label="To (UTC)" type="date" value={to} onChange={({ target }) => enter(setTo, target.value)} />
      </div>
      {isWrong ? (
        <p role="alert" className="mt-1 text-bad text-xs">
          Enter both days. The last day can't be before the first.
        </p>
      ) : null}
      <div className="mt-2 flex justify-end">
        <Button type="submit" kind="primary" size="small">
          Apply
        </Button>
      </div>
    </form>
  )
}
