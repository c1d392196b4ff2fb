import { heatmapRangeOf } from '#domain/usage/heatmap.ts'
import type { InsightsRange } from '#domain/usage/insights-period.ts'
import type { UsageScope } from '#domain/usage/usage-scope.ts'
import type { UsageQuery, UsageReads, UsageRow } from '#ports/usage.ts'
import { type AskedFilters, narrowScope } from './usage-scope.ts'

export interface InsightsSums {
  /** By day or month, and model. */
  readonly series: readonly UsageRow[]
  readonly previous: readonly UsageRow[]
  /** Those that the heatmap shows, perhaps by model as well. */
  readonly days: readonly UsageRow[]
  readonly keys: readonly UsageRow[]
  readonly apps: readonly UsageRow[]
  /** One row at most. */
  readonly firstTokens: readonly UsageRow[]
}

const nothing: InsightsSums = { series: [], previous: [], days: [], keys: [], apps: [], firstTokens: [] }

/** All sums that insights are made of, read at the same time. */
export async function readInsightsSums(
  usage: UsageReads,
  scope: UsageScope,
  asked: { filters: AskedFilters; range: InsightsRange },
): Promise<InsightsSums> {
  const filter = narrowScope(scope, asked.filters)
  if (filter === null) return nothing
  const { current, previous, step } = asked.range
  const sum = (query: Pick<UsageQuery, 'range' | 'by' | 'withFirstTokens'>): Promise<readonly UsageRow[]> =>
    usage.sum({ walletId: scope.walletId, filter, ...query })
  const [series, before, days, keys, apps, firstTokens] = await Promise.all([
    sum({ range: current, by: [step, 'model'] }),
    previous === null ? [] : sum({ range: previous, by: [] }),
    // Where the series is by day, it has what the heatmap shows.
    step === 'day' ? null : sum({ range: heatmapRangeOf(current), by: ['day'] }),
    sum({ range: current, by: ['key'] }),
    sum({ range: current, by: ['app'] }),
    sum({ range: current, by: [], withFirstTokens: true }),
  ])
  return { series, previous: before, days: days ?? series, keys, apps, firstTokens }
}
