const usagePeriods = ['month', 'last-month', '7d', '30d', '90d', 'year'] as const
export type UsagePeriod = (typeof usagePeriods)[number]
const metrics = ['spend', 'tokens', 'requests'] as const
export type Metric = (typeof metrics)[number]

export interface UsageSearch {
  readonly period?: UsagePeriod
  readonly metric?: Metric
  readonly by?: 'key' | 'app'
  readonly size?: 'hour'
  /** A time zone such as `Europe/Berlin` for grouping hours into days. Defaults to UTC. */
  readonly zone?: string
}

export function parseUsageSearch({ period, metric, by, size, zone }: Record<string, unknown>): UsageSearch {
  return {
    ...pick('period', usagePeriods, period),
    ...pick('metric', metrics, metric),
    ...pick('by', ['key', 'app'] as const, by),
    ...pick('size', ['hour'] as const, size),
    ...(typeof zone === 'string' && isZone(zone) ? { zone } : {}),
  }
}

function pick<Name extends string, Value extends string>(
  name: Name,
  allowed: readonly Value[],
  value: unknown,
): { readonly [Key in Name]?: Value } {
  const found = allowed.find((candidate) => candidate === value)
  return (found === undefined ? {} : { [name]: found }) as { readonly [Key in Name]?: Value }
}

function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== 'UTC'
  } catch {
    return false
  }
}
