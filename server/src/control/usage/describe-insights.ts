import { firstTokenQuantile } from '#domain/usage/first-token-times.ts'
import { type HeatmapDay, type HeatmapMetric, heatmapOf, heatmapRangeOf } from '#domain/usage/heatmap.ts'
import { type InsightsPeriod, type InsightsRange, insightsRangeOf } from '#domain/usage/insights-period.ts'
import { sharePercents } from '#domain/usage/share-percents.ts'
import { errorRateOf } from '#domain/usage/usage-figures.ts'
import type { UsageScope } from '#domain/usage/usage-scope.ts'
import type { DayRange } from '#lib/utc-calendar.ts'
import type { UsageQuery, UsageReads, UsageRow, UsageSubjects, UsageSums } from '#ports/usage.ts'
import { addUp, addUpBy, type KeySums, type NamedSums, nameKeys } from './add-up.ts'
import { type AskedFilters, narrowToTag } from './usage-scope.ts'

export interface InsightsQuestion {
  readonly period: InsightsPeriod
  readonly metric: HeatmapMetric
  readonly filters: AskedFilters
}

/** An entry of a top list, with its share of the total spend. */
type Top<Sums> = Sums & { readonly sharePercent: number }

export interface Insights {
  readonly totals: UsageSums
  readonly previousTotals: UsageSums
  readonly heatmap: readonly HeatmapDay[]
  /** By day or month, and model. */
  readonly series: readonly UsageRow[]
  readonly topModels: readonly Top<NamedSums<string>>[]
  readonly topKeys: readonly Top<KeySums>[]
  readonly topApps: readonly Top<NamedSums<string | null>>[]
  readonly p50FirstTokenMs: number | null
  readonly p95FirstTokenMs: number | null
  readonly errorRate: number
}

const topMax = 10

/** How a client's usage has developed. The filters apply to every figure. */
export async function describeInsights(
  deps: { usage: UsageReads; subjects: UsageSubjects },
  scope: UsageScope,
  { period, metric, filters }: InsightsQuestion,
  nowMs: number,
): Promise<Insights> {
  const sinceMs = period === 'all' ? (await deps.subjects.readWallet(scope.walletId)).createdAtMs : nowMs
  const range = insightsRangeOf(period, nowMs, sinceMs)
  const sums = await readInsightsSums(deps, scope, { filters, range })
  const totals = addUp(sums.series)
  const firstTokens = sums.firstTokens[0]?.firstTokenCounts ?? []
  const topKeys = topOf(addUpBy(sums.keys, ({ key }) => key))
  return {
    totals,
    previousTotals: addUp(sums.previous),
    heatmap: describeHeatmap(sums.days, range.current, metric),
    series: sums.series,
    topModels: topOf(addUpBy(sums.series, ({ model }) => model)),
    topKeys: await nameKeys(deps.subjects, scope.walletId, topKeys),
    topApps: topOf(addUpBy(sums.apps, ({ app }) => app)),
    p50FirstTokenMs: firstTokenQuantile(firstTokens, 0.5),
    p95FirstTokenMs: firstTokenQuantile(firstTokens, 0.95),
    errorRate: errorRateOf(totals),
  }
}

function describeHeatmap(rows: readonly UsageRow[], range: DayRange, metric: HeatmapMetric): HeatmapDay[] {
  const byDay = new Map(addUpBy(rows, ({ day }) => day).map(({ name, sums }) => [name, metricOf(sums, metric)]))
  return heatmapOf(heatmapRangeOf(range), (date) => byDay.get(date) ?? 0n)
}

function metricOf(sums: UsageSums, metric: HeatmapMetric): bigint {
  switch (metric) {
    case 'spend':
      return sums.spent
    case 'tokens':
      return BigInt(sums.promptTokens + sums.completionTokens)
    case 'requests':
      return BigInt(sums.requests)
  }
}

function topOf<Name>(all: readonly NamedSums<Name>[]): Top<NamedSums<Name>>[] {
  const shares = sharePercents(all.map(({ sums }) => sums.spent))
  return all.slice(0, topMax).map((one, position) => ({ ...one, sharePercent: shares[position] ?? 0 }))
}

interface InsightsSums {
  /** By day or month, and model. */
  readonly series: readonly UsageRow[]
  readonly previous: readonly UsageRow[]
  /** The rows of the heatmap, possibly by model as well. */
  readonly days: readonly UsageRow[]
  readonly keys: readonly UsageRow[]
  readonly apps: readonly UsageRow[]
  /** At most one row. */
  readonly firstTokens: readonly UsageRow[]
}

const nothing: InsightsSums = { series: [], previous: [], days: [], keys: [], apps: [], firstTokens: [] }

/** All sums for insights, read concurrently. */
async function readInsightsSums(
  { usage, subjects }: { usage: UsageReads; subjects: UsageSubjects },
  scope: UsageScope,
  asked: { filters: AskedFilters; range: InsightsRange },
): Promise<InsightsSums> {
  const filter = await narrowToTag(subjects, scope, asked.filters)
  if (filter === null) return nothing
  const { current, previous, step } = asked.range
  const sum = (query: Pick<UsageQuery, 'range' | 'by' | 'withFirstTokens'>): Promise<readonly UsageRow[]> =>
    usage.sum({ walletId: scope.walletId, filter, ...query })
  const [series, before, days, keys, apps, firstTokens] = await Promise.all([
    sum({ range: current, by: [step, 'model'] }),
    previous === null ? [] : sum({ range: previous, by: [] }),
    // A series by day already contains the rows of the heatmap.
    step === 'day' ? null : sum({ range: heatmapRangeOf(current), by: ['day'] }),
    sum({ range: current, by: ['key'] }),
    sum({ range: current, by: ['app'] }),
    sum({ range: current, by: [], withFirstTokens: true }),
  ])
  return { series, previous: before, days: days ?? series, keys, apps, firstTokens }
}
