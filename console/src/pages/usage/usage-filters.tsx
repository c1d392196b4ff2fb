import type { DayRange } from '../../lib/utc-days.ts'
import { daysIn } from '../../lib/utc-days.ts'
import { type Choice, SelectField } from '../../ui/field.tsx'
import { TimeRange } from '../../ui/time-range.tsx'
import type { Metric, UsageSearch } from './search.ts'

export type UsageChange = { readonly [Name in keyof UsageSearch]?: UsageSearch[Name] | undefined }

const presets: readonly Choice[] = [
  { value: 'month', label: 'This month' },
  { value: 'last-month', label: 'Last month' },
  { value: '7d', label: 'Last 7 days' },
  { value: '30d', label: 'Last 30 days' },
  { value: '90d', label: 'Last 90 days' },
  { value: 'year', label: 'This year' },
]

const metricChoices: readonly Choice[] = [
  { value: 'spend', label: 'Spend' },
  { value: 'tokens', label: 'Tokens' },
  { value: 'requests', label: 'Requests' },
]

const sizeChoices: readonly Choice[] = [
  { value: 'day', label: 'By day' },
  { value: 'hour', label: 'By hour' },
]

/** Hours are requested week by week; a longer range would need too many requests for one chart. */
export const regroupDaysMax = 92

/** Hourly bars are drawn for a week at most, because more would be too thin. */
export const hourBarsDaysMax = 7

export function UsageFilters({
  search,
  range,
  onChange,
}: {
  readonly search: UsageSearch
  readonly range: DayRange
  readonly onChange: (change: UsageChange) => void
}) {
  const days = daysIn(range)
  return (
    <div className="mb-4 flex flex-wrap gap-2">
      <TimeRange presets={presets} usual="month" />
      <Select
        label="Metric"
        value={search.metric ?? 'spend'}
        choices={metricChoices}
        onChange={(metric) => onChange({ metric: metric as Metric })}
      />
      <Select
        label="Interval"
        value={search.size ?? 'day'}
        choices={days <= hourBarsDaysMax ? sizeChoices : sizeChoices.slice(0, 1)}
        onChange={(size) => onChange({ size: size === 'hour' ? 'hour' : undefined })}
      />
      <Select
        label="Time zone"
        value={search.zone ?? 'UTC'}
        choices={days <= regroupDaysMax ? zoneChoices(search.zone) : [{ value: 'UTC', label: 'UTC' }]}
        onChange={(zone) => onChange({ zone: zone === 'UTC' ? undefined : zone })}
      />
    </div>
  )
}

const usualZones = [
  'America/Los_Angeles',
  'America/New_York',
  'America/Sao_Paulo',
  'Europe/London',
  'Europe/Berlin',
  'Asia/Kolkata',
  'Asia/Shanghai',
  'Asia/Tokyo',
  'Australia/Sydney',
]

/** UTC first, then the browser's time zone, then others. */
function zoneChoices(chosen: string | undefined): readonly Choice[] {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone
  const zones = new Set(['UTC', own, ...usualZones, ...(chosen === undefined ? [] : [chosen])])
  return [...zones].map((zone) => ({ value: zone, label: zone === own && zone !== 'UTC' ? `${zone} (local)` : zone }))
}

function Select(props: {
  readonly label: string
  readonly value: string
  readonly choices: readonly Choice[]
  readonly onChange: (value: string) => void
}) {
  const { label, value, choices, onChange } = props
  return (
    <div className="w-44 max-sm:w-[calc(50%-4px)]">
      <SelectField
        label={label}
        isLabelHidden
        value={value}
        choices={choices}
        onChange={({ target }) => onChange(target.value)}
      />
    </div>
  )
}
