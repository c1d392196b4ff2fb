import type { JsonObject } from '#lib/json.ts'
import type { CalendarDate } from '#lib/utc-calendar.ts'
import type { Discrepancy } from '#ports/ledger.ts'
import { sumColumns } from '../usage/generation-sums.ts'
import { type Check, findingsMax, monthOf, rowsMax } from './check.ts'
import type { LedgerSnapshot } from './open-snapshot.ts'
import { type ComparedColumn, type PeriodQuestion, periodStatement, type Source } from './period-statement.ts'

/** For every day, all sum tables agree with each other and with the rolled-up generations, as far as those are kept. */
export const checkDaySums = checkPeriodSums({
  period: 'day',
  sources: ['generations', 'usage_days', 'usage_account_days', 'usage_hours'],
  columns: sumColumns,
})

export const checkFirstTokens = checkPeriodSums({
  period: 'day',
  sources: ['generations', 'usage_days', 'usage_account_days'],
  columns: ['first_token_counts'],
})

export const checkMonthSums = checkPeriodSums({
  period: 'month',
  sources: ['usage_days', 'usage_months'],
  columns: sumColumns,
})

/** All month checks, from this month on. */
export function checkMonthsSince(month: CalendarDate): Check {
  const sources = ['usage_days', 'usage_account_days', 'usage_hours', 'usage_months'] as const
  return checkPeriodSums({ period: 'month', sources, columns: sumColumns, since: month })
}

type Sums = readonly string[]
type Said = Partial<Readonly<Record<Source, Sums>>>

interface DisagreeingRow {
  readonly walletId: string
  readonly period: CalendarDate
  readonly said: Said
}

function checkPeriodSums(question: PeriodQuestion): Check {
  return {
    find: async (snapshot) => {
      const rows = await ask(snapshot, question, findingsMax)
      return rows.flatMap((row) => discrepanciesOf(question, row, keptSources(question, snapshot, row.period)))
    },
    show: async (snapshot, discrepancy) => {
      const { walletId, table, day, month } = discrepancy
      const start = day ?? month
      if (walletId === null || start === null) return discrepancy
      const { period, columns } = question
      const kept = keptSources(question, snapshot, start)
      const one = { period, columns, sources: kept, within: { walletId, start, by: [] } }
      const said = (await ask(snapshot, one, 1))[0]?.said ?? {}
      const sources = kept.filter((source) => source === table || source === believed(said, kept))
      const within = { walletId, start, by: dimensionsOf(sources) }
      const rows = await ask(snapshot, { period, columns, sources, within }, rowsMax)
      return { ...discrepancy, rows: rows.map((row) => rowOf(columns, sources, row)) }
    },
  }
}

async function ask(snapshot: LedgerSnapshot, question: PeriodQuestion, atMost: number): Promise<DisagreeingRow[]> {
  const { text, values } = periodStatement(question, snapshot, atMost)
  const { rows } = await snapshot.client.query<DisagreeingRow>(text, [...values])
  return rows
}

/** Dates as text sort in time order, including `-infinity` and `infinity`. */
function keptSources({ sources }: PeriodQuestion, snapshot: LedgerSnapshot, period: CalendarDate): readonly Source[] {
  return sources.filter((source) => {
    if (source === 'generations') return snapshot.retainedFrom <= period
    return source !== 'usage_hours' || snapshot.hoursFrom <= period
  })
}

/**
 * The value that most sources state is taken as correct, and on a tie the value of the first source. Sources with
 * another value are reported.
 */
function believed(said: Said, kept: readonly Source[]): Source | undefined {
  const votes = (source: Source): number => kept.filter((other) => isSame(said[other], said[source])).length
  return kept.toSorted((one, other) => votes(other) - votes(one))[0]
}

function isSame(one: Sums | undefined, other: Sums | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function discrepanciesOf(
  { period, columns }: PeriodQuestion,
  row: DisagreeingRow,
  kept: readonly Source[],
): Discrepancy[] {
  const reference = believed(row.said, kept)
  const right = reference === undefined ? undefined : row.said[reference]
  return kept
    .filter((source) => !isSame(row.said[source], right))
    .map((source) => ({
      walletId: row.walletId,
      what: `rollups of a ${period} must match ${reference}`,
      table: source,
      month: monthOf(row.period),
      day: period === 'day' ? row.period : null,
      subject: null,
      expected: describe(columns, right, row.said[source]),
      found: describe(columns, row.said[source], right),
      rows: [],
    }))
}

/** The sums that differ from those of the other source. */
function describe(columns: readonly ComparedColumn[], sums: Sums | undefined, other: Sums | undefined): string {
  if (sums === undefined) return 'no rollup'
  const named = columns.map((column, index) => ({ column, sum: sums[index], theirs: other?.[index] }))
  return named
    .filter(({ sum, theirs }) => sum !== theirs)
    .map(({ column, sum }) => `${column} ${sum}`)
    .join(', ')
}

/** The dimensions that both sources have. */
function dimensionsOf(sources: readonly Source[]): readonly string[] {
  return sources.includes('usage_account_days')
    ? ['model', 'app_name']
    : ['key_id', 'member_id', 'team_id', 'model', 'provider', 'app_name']
}

function rowOf(
  columns: readonly ComparedColumn[],
  sources: readonly Source[],
  { walletId: _, period: __, said, ...dimensions }: DisagreeingRow,
): JsonObject {
  const [one, other] = sources
  if (one === undefined || other === undefined) return dimensions
  return {
    ...dimensions,
    [one]: describe(columns, said[one], said[other]),
    [other]: describe(columns, said[other], said[one]),
  }
}
