import { firstTokenQuantile } from '#domain/usage/first-token-times.ts'
import { type HeatmapDay, type HeatmapMetric, heatmapOf, heatmapRangeOf } from '#domain/usage/heatmap.ts'
import { type InsightsPeriod, insightsRangeOf } from '#domain/usage/insights-period.ts'
import { sharePercents } from '#domain/usage/share-percents.ts'
import { errorRateOf } from '#domain/usage/usage-figures.ts'
import type { UsageScope } from '#domain/usage/usage-scope.ts'
import type { DayRange } from '#lib/utc-calendar.ts'
import type { UsageReads, UsageRow, UsageSubjects, UsageSums } from '#ports/usage.ts'
import { addUp, addUpBy, type KeySums, type NamedSums, nameKeys } from './add-up.ts'
import { readInsightsSums } from './read-insights-sums.ts'
import type { AskedFilters } from './usage-scope.ts'

export interface InsightsQuestion {
  readonly period: InsightsPeriod
  readonly metric: HeatmapMetric
  readonly filters: AskedFilters
}

/** Something of which there are more than are shown, with its share of all that was spent. */
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

/** How a caller's requests have developed. Every figure is of what the filters leave. */
export async function describeInsights(
  deps: { usage: UsageReads; subjects: UsageSubjects },
  scope: UsageScope,
  { period, metric, filters }: InsightsQuestion,
  nowMs: number,
): Promise<Insights> {
  const sinceMs = period === 'all' ? (await deps.subjects.readWallet(scope.walletId)).createdAtMs : nowMs
  const range = insightsRangeOf(period, nowMs, sinceMs)
  const sums = await readInsightsSums(deps.usage, scope, { filters, range })
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
