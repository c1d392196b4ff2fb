import { type DaySpan, pickPeriod } from '../../lib/period.ts'
import { pickKnown } from '../../lib/pick-known.ts'

const usagePeriods = ['month', 'last-month', '7d', '30d', '90d', 'year'] as const
export type UsagePeriod = (typeof usagePeriods)[number] | DaySpan
const metrics = ['spend', 'tokens', 'requests'] as const
export type Metric = (typeof metrics)[number]

/** Groups besides the usual one, by model. */
export const groups = ['key', 'app', 'member', 'team', 'tag'] as const

export interface UsageSearch {
  readonly period?: UsagePeriod
  readonly metric?: Metric
  readonly by?: (typeof groups)[number]
  readonly size?: 'hour'
  /** A time zone such as `Europe/Berlin` for grouping hours into days. Defaults to UTC. */
  readonly zone?: string
}

export function parseUsageSearch({ period, metric, by, size, zone }: Record<string, unknown>): UsageSearch {
  return {
    ...pickPeriod(usagePeriods, period),
    ...pickKnown('metric', metrics, metric),
    ...pickKnown('by', groups, by),
    ...pickKnown('size', ['hour'] as const, size),
    ...(typeof zone === 'string' && isZone(zone) ? { zone } : {}),
  }
}

function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== 'UTC'
  } catch {
    return false
  }
}
