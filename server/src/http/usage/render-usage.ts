import type { UsageDescription } from '#control/usage/describe-usage.ts'
import { usdJson } from '#domain/money/nano-usd.ts'
import type { UsageQuestion } from './parse-usage-query.ts'
import { renderApp, renderKey, renderModel, renderPoint, renderTotals } from './render-sums.ts'

export function renderUsage({ period, range }: UsageQuestion, usage: UsageDescription) {
  return {
    period,
    since: new Date(range.startMs).toISOString(),
    until: new Date(range.endMs).toISOString(),
    credits: usdJson(usage.balance),
    totals: renderTotals(usage.totals),
    byModel: usage.byModel.map(renderModel),
    byKey: usage.byKey.map(renderKey),
    byApp: usage.byApp.map(renderApp),
    timeSeries: usage.series.map(renderPoint),
  }
}
