import { firstTokenBoundsMs, firstTokenCountsLength } from '#domain/usage/first-token-times.ts'
import type { CalendarDate } from '#lib/utc-calendar.ts'
import { generationSums, type SumColumn } from '../usage/generation-sums.ts'
import type { LedgerSnapshot } from './open-snapshot.ts'

/** The tables that have the sums of a day or month, in order of trust. */
export type Source = 'generations' | 'usage_days' | 'usage_account_days' | 'usage_hours' | 'usage_months'

export type ComparedColumn = SumColumn | 'first_token_counts'

export interface PeriodQuestion {
  readonly period: 'day' | 'month'
  readonly sources: readonly Source[]
  readonly columns: readonly ComparedColumn[]
  /** Only periods since this day. They are looked up by wallet, so that the time does not grow with the history. */
  readonly since?: CalendarDate
  /** One wallet and period, split by these columns of its series. */
  readonly within?: { readonly walletId: string; readonly start: CalendarDate; readonly by: readonly string[] }
}

interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
}

interface Parts {
  readonly question: PeriodQuestion
  readonly snapshot: LedgerSnapshot
  readonly bind: (value: unknown) => string
}

/** Wallets and periods for which the sources differ, with the sums of each source (`said`). */
export function periodStatement(question: PeriodQuestion, snapshot: LedgerSnapshot, atMost: number): Statement {
  const values: unknown[] = []
  const parts: Parts = { question, snapshot, bind: (value) => `$${values.push(value)}` }
  const by = question.within?.by ?? []
  const keys = ['wallet_id', 'period', ...by].join(', ')
  const said = question.sources.map((source) => partOf(source, parts))
  const text = `SELECT wallet_id AS "walletId", period::text AS period, jsonb_object_agg(source, sums) AS said${by.map((column) => `, ${column}`).join('')}
    FROM (${said.join('\n    UNION ALL ')}) AS said GROUP BY ${keys}
    HAVING count(*) <> ${expectedCount(parts)} OR min(sums) <> max(sums) ORDER BY ${keys} LIMIT ${atMost}`
  return { text, values }
}

/** How many sources must have a value: the sources that are kept for that period. */
function expectedCount({ question, snapshot, bind }: Parts): string {
  return question.sources
    .map((source) => {
      if (source === 'generations') return `(period >= ${bind(snapshot.retainedFrom)}::date)::integer`
      return source === 'usage_hours' ? `(period >= ${bind(snapshot.hoursFrom)}::date)::integer` : '1'
    })
    .join(' + ')
}

function partOf(source: Source, parts: Parts): string {
  const { columns, within } = parts.question
  const by = within?.by ?? []
  const sums = columns.map((column) => `(${sumOf(column, source)})::text`).join(', ')
  const names = by.map((column) => `, ${source === 'generations' ? 'f' : 's'}.${column}`).join('')
  const groups = Array.from({ length: 2 + by.length }, (_, index) => index + 2).join(', ')
  return `SELECT '${source}' AS source, f.wallet_id, f.period${names}, ARRAY[${sums}] AS sums
      FROM ${rowsOf(source, parts)} AS f${by.length > 0 && source !== 'generations' ? ' LEFT JOIN usage_series s ON s.id = f.series_id' : ''}
      GROUP BY ${groups}`
}

const times: Readonly<Record<Source, string>> = {
  generations: `(started_at AT TIME ZONE 'UTC')::date`,
  usage_days: 'day',
  usage_account_days: 'day',
  usage_hours: 'hour',
  usage_months: 'month',
}

/** The requested rows of a source, each with its period. */
function rowsOf(source: Source, { question, snapshot, bind }: Parts): string {
  const { since, within } = question
  const at = times[source]
  const period = `date_trunc('${question.period}', ${at}::timestamp)::date`
  const conditions = [
    ...(source === 'generations'
      ? [
          `id >= ${bind(snapshot.firstKeptId)}`,
          `settled_position < ${bind(snapshot.rolledUpBelow)}`,
          `${at} >= ${bind(snapshot.retainedFrom)}::date`,
        ]
      : []),
    ...(source === 'usage_hours' ? [`hour >= ${bind(snapshot.hoursFrom)}::timestamp`] : []),
    ...(since === undefined ? [] : [`${at} >= ${bind(since)}::date`]),
    ...(within === undefined
      ? []
      : [`wallet_id = ${bind(within.walletId)}`, `${period} = ${bind(within.start)}::date`]),
  ]
  const rows = (more: readonly string[]): string =>
    `(SELECT *, ${period} AS period FROM ${source}${more.length === 0 ? '' : ` WHERE ${more.join(' AND ')}`})`
  if (since === undefined || source === 'usage_hours') return rows(conditions)
  return `wallets w CROSS JOIN LATERAL ${rows(['wallet_id = w.id', ...conditions])}`
}

const positions = Array.from({ length: firstTokenCountsLength }, (_, index) => index)

function sumOf(column: ComparedColumn, source: Source): string {
  if (column !== 'first_token_counts') return source === 'generations' ? generationSums[column] : `sum(f.${column})`
  const speed = `width_bucket(f.first_token_ms, ARRAY[${firstTokenBoundsMs.join(', ')}])`
  const counts = positions.map((position) =>
    source === 'generations'
      ? `count(*) FILTER (WHERE ${speed} = ${position})`
      : `sum(f.first_token_counts[${position + 1}])`,
  )
  return `ARRAY[${counts.join(', ')}]`
}
