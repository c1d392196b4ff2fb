import { firstTokenCountsLength } from '#domain/usage/first-token-times.ts'
import { type DayRange, dateOf, splitIntoMonths } from '#lib/utc-calendar.ts'
import type { UsageDimension, UsageFilter, UsageQuery } from '#ports/usage.ts'

export interface UsageStatement {
  readonly text: string
  readonly values: readonly unknown[]
}

interface Source {
  readonly table: 'usage_hours' | 'usage_days' | 'usage_months' | 'usage_account_days'
  readonly time: 'hour' | 'day' | 'month'
  readonly range: DayRange
}

const sums = ['requests', 'failed', 'spent_nano', 'saved_nano', 'prompt_tokens', 'completion_tokens'] as const

/** Where a row's value for each dimension comes from. `f` is the table of sums, `s` the series. */
const columns: Readonly<Record<UsageDimension, (source: Source) => string>> = {
  hour: () => `to_char(f.hour, 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`,
  day: ({ time }) => `to_char(f.${time}, 'YYYY-MM-DD')`,
  month: ({ time }) => `to_char(date_trunc('month', f.${time}), 'YYYY-MM-DD')`,
  key: () => 's.key_id',
  member: () => 's.member_id',
  team: () => 's.team_id',
  model: () => 's.model',
  provider: () => 's.provider',
  app: () => 's.app_name',
}

const filters: readonly { readonly name: keyof UsageFilter; readonly column: string }[] = [
  { name: 'keyId', column: 'key_id' },
  { name: 'memberId', column: 'member_id' },
  { name: 'model', column: 'model' },
  { name: 'app', column: 'app_name' },
]

/** One statement over the tables with the fewest rows that can answer. */
export function usageStatement(query: UsageQuery): UsageStatement {
  const values: unknown[] = [query.walletId]
  const bind = (value: unknown): string => `$${values.push(value)}`
  const chosen = filters.flatMap(({ name, column }) => {
    const value = query.filter?.[name]
    return value === undefined ? [] : [`s.${column} = ${bind(value)}`]
  })
  const parts = sourcesFor(query).map((source) => partOf(query, source, chosen, bind))
  const names = query.by.join(', ')
  const totals = [...sums.map((sum) => `sum(${sum})::bigint AS ${sum}`), ...countsOf(query, 'first_token_counts')]
  const text = `SELECT ${[...query.by, ...totals].join(', ')}
    FROM (${parts.join('\n    UNION ALL ')}) AS part${names === '' ? '' : ` GROUP BY ${names} ORDER BY ${names}`}`
  return { text, values }
}

/**
 * Sums of whole accounts where nobody asks who called; else those of keys, by the day only where days are asked for or a
 * month is not whole, because a year of days of every key is long. Few keys have few rows, so days serve them alone.
 */
function sourcesFor({ by, filter, range, withFirstTokens }: UsageQuery): readonly Source[] {
  if (by.includes('hour') || by.includes('provider')) return [{ table: 'usage_hours', time: 'hour', range }]
  const isOfFew = filter?.keyId !== undefined || filter?.memberId !== undefined
  const asksWho = by.includes('key') || by.includes('member') || by.includes('team')
  if (!isOfFew && !asksWho) return [{ table: 'usage_account_days', time: 'day', range }]
  if (isOfFew || by.includes('day') || withFirstTokens === true) return [{ table: 'usage_days', time: 'day', range }]
  const { months, days } = splitIntoMonths(range)
  return [
    ...(months === null ? [] : [{ table: 'usage_months', time: 'month', range: months } as const]),
    ...days.map((edge) => ({ table: 'usage_days', time: 'day', range: edge }) as const),
  ]
}

function partOf(
  query: UsageQuery,
  source: Source,
  chosen: readonly string[],
  bind: (value: unknown) => string,
): string {
  const { table, time, range } = source
  const keys = query.by.map((dimension) => `${columns[dimension](source)} AS ${dimension}`)
  const totals = [...sums.map((sum) => `sum(f.${sum}) AS ${sum}`), ...countsOf(query, 'f.first_token_counts')]
  const [start, end] = [range.startMs, range.endMs].map((moment) =>
    bind(time === 'hour' ? new Date(moment).toISOString().slice(0, 19) : dateOf(moment)),
  )
  const groups = query.by.map((_, index) => index + 1).join(', ')
  return `SELECT ${[...keys, ...totals].join(', ')}
      FROM ${table} f JOIN usage_series s ON s.id = f.series_id
      WHERE f.wallet_id = $1 AND f.${time} >= ${start} AND f.${time} < ${end}
        ${['s.wallet_id = $1', ...chosen].map((condition) => `AND ${condition}`).join(' ')}${groups === '' ? '' : ` GROUP BY ${groups}`}`
}

function countsOf({ withFirstTokens }: UsageQuery, array: string): string[] {
  if (withFirstTokens !== true) return []
  const at = Array.from(
    { length: firstTokenCountsLength },
    (_, index) => `coalesce(sum(${array}[${index + 1}]), 0)::bigint`,
  )
  return [`ARRAY[${at.join(', ')}] AS first_token_counts`]
}
