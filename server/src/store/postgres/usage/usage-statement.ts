import { firstTokenCountsLength } from '#domain/usage/first-token-times.ts'
import { type DayRange, dateOf, splitIntoMonths } from '#lib/utc-calendar.ts'
import type { UsageDimension, UsageFilter, UsageQuery } from '#ports/usage.ts'

interface UsageStatement {
  readonly text: string
  readonly values: readonly unknown[]
}

interface Source {
  readonly table: 'usage_hours' | 'usage_days' | 'usage_months' | 'usage_account_days'
  readonly time: 'hour' | 'day' | 'month'
  readonly range: DayRange
}

const sums = ['requests', 'failed', 'spent_nano', 'saved_nano', 'prompt_tokens', 'completion_tokens'] as const

/** The source of each dimension's value. `f` is the sum table, `s` the series. */
const columns: Readonly<Record<UsageDimension, (source: Source) => string>> = {
  hour: () => 'f.hour',
  day: ({ time }) => `f.${time}`,
  month: ({ time }) => `date_trunc('month', f.${time})::date`,
  key: () => 's.key_id',
  member: () => 's.member_id',
  team: () => 's.team_id',
  model: () => 's.model',
  provider: () => 's.provider',
  app: () => 's.app_name',
  tag: () => 't.tag_id',
}

/** The output format of times. They are grouped in their stored form, which is several times faster. */
const forms: Readonly<Partial<Record<UsageDimension, string>>> = {
  hour: 'YYYY-MM-DD"T"HH24:MI:SS"Z"',
  day: 'YYYY-MM-DD',
  month: 'YYYY-MM-DD',
}

const filters: readonly { readonly name: Exclude<keyof UsageFilter, 'tagId'>; readonly column: string }[] = [
  { name: 'keyId', column: 'key_id' },
  { name: 'memberId', column: 'member_id' },
  { name: 'teamId', column: 'team_id' },
  { name: 'model', column: 'model' },
  { name: 'app', column: 'app_name' },
]

/**
 * One statement over the smallest tables that can answer. Its rows are unordered: to sort them, Postgres would sort its
 * input instead of aggregating it directly, which takes several times as long.
 */
export function usageStatement(query: UsageQuery): UsageStatement {
  const values: unknown[] = [query.walletId]
  const bind = (value: unknown): string => `$${values.push(value)}`
  const chosen = filters.flatMap(({ name, column }) => {
    const value = query.filter?.[name]
    return value === undefined ? [] : [`s.${column} = ${bind(value)}`]
  })
  const tagId = query.filter?.tagId
  if (tagId !== undefined) chosen.push(`${bind(tagId)} = ANY (s.tag_ids)`)
  const parts = sourcesFor(query).map((source) => partOf(query, source, chosen, bind))
  const shown = query.by.map((dimension) => {
    const form = forms[dimension]
    return form === undefined ? `part.${dimension}` : `to_char(part.${dimension}, '${form}') AS ${dimension}`
  })
  const groups = query.by.map((dimension) => `part.${dimension}`)
  const text = `SELECT ${[...shown, ...totalsOf(query)].join(', ')} FROM (${parts.join('\n    UNION ALL ')}) AS part
    ${groups.length === 0 ? '' : `GROUP BY ${groups.join(', ')}`}`
  return { text, values }
}

/**
 * Uses sums of whole accounts if the query names neither keys nor tags. Otherwise it uses sums of keys, by day only if
 * the query asks for days or a partial month, because a year of days for every key is many rows. A few keys have few
 * rows, so days alone are enough for them.
 */
function sourcesFor({ by, filter, range, withFirstTokens }: UsageQuery): readonly Source[] {
  if (by.includes('hour') || by.includes('provider')) return [{ table: 'usage_hours', time: 'hour', range }]
  const isOfFew = isOfFewKeys(filter)
  const isSplit = (['key', 'member', 'team', 'tag'] as const).some((one) => by.includes(one))
  const asksWho = isSplit || filter?.teamId !== undefined || filter?.tagId !== undefined
  if (!isOfFew && !asksWho) return [{ table: 'usage_account_days', time: 'day', range }]
  if (isOfFew || by.includes('day') || withFirstTokens === true) return [{ table: 'usage_days', time: 'day', range }]
  const { months, days } = splitIntoMonths(range)
  return [
    ...(months === null ? [] : [{ table: 'usage_months', time: 'month', range: months } as const]),
    ...days.map((edge) => ({ table: 'usage_days', time: 'day', range: edge }) as const),
  ]
}

function isOfFewKeys(filter: UsageFilter = {}): boolean {
  return filter.keyId !== undefined || filter.memberId !== undefined
}

function partOf(
  query: UsageQuery,
  source: Source,
  chosen: readonly string[],
  bind: (value: unknown) => string,
): string {
  const { table, time, range } = source
  const values = [...sums, ...(query.withFirstTokens === true ? ['first_token_counts'] : [])]
  const shown = [...query.by.map((dimension) => `${columns[dimension](source)} AS ${dimension}`), ...values]
  const [start, end] = [range.startMs, range.endMs].map((moment) =>
    bind(time === 'hour' ? new Date(moment).toISOString().slice(0, 19) : dateOf(moment)),
  )
  // A wallet's rows are stored together and read as a whole. Postgres expects few series and would look up each one.
  const fence = isOfFewKeys(query.filter) ? '' : 'OFFSET 0'
  const conditions = ['s.wallet_id = $1', `s.key_id IS ${table === 'usage_account_days' ? '' : 'NOT '}NULL`, ...chosen]
  return `SELECT ${shown.join(', ')}
      FROM (SELECT * FROM ${table} WHERE wallet_id = $1 AND ${time} >= ${start} AND ${time} < ${end} ${fence}) AS f
      JOIN usage_series s ON s.id = f.series_id${query.by.includes('tag') ? ' CROSS JOIN LATERAL unnest(s.tag_ids) AS t (tag_id)' : ''}
      WHERE ${conditions.join(' AND ')}`
}

function totalsOf({ withFirstTokens }: UsageQuery): string[] {
  const totals = sums.map((sum) => `sum(part.${sum})::bigint AS ${sum}`)
  if (withFirstTokens !== true) return totals
  const counts = Array.from(
    { length: firstTokenCountsLength },
    (_, index) => `coalesce(sum(part.first_token_counts[${index + 1}]), 0)::bigint`,
  )
  return [...totals, `ARRAY[${counts.join(', ')}] AS first_token_counts`]
}
