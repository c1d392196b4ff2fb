import type { Insights, InsightsQuestion } from '#control/usage/describe-insights.ts'
import { nanoUsd, usdJson } from '#domain/money/nano-usd.ts'
import { renderApp, renderKey, renderModel, renderPoint, renderTotals } from './render-sums.ts'

export function renderInsights({ period, metric, filters }: InsightsQuestion, insights: Insights, nowMs: number) {
  const { p50FirstTokenMs, p95FirstTokenMs, errorRate } = insights
  return {
    period,
    heatmapMetric: metric,
    filters: { model: filters.model, apiKeyId: filters.apiKeyId, app: filters.app },
    generatedAt: new Date(nowMs).toISOString(),
    totals: renderTotals(insights.totals),
    previousTotals: renderTotals(insights.previousTotals),
    heatmap: insights.heatmap.map(({ date, value, level }) => ({
      date,
      value: metric === 'spend' ? usdJson(nanoUsd(value)) : Number(value),
      level,
    })),
    timeSeries: insights.series.map(renderPoint),
    topModels: insights.topModels.map((top) => ({ ...renderModel(top), sharePct: top.sharePercent })),
    topKeys: insights.topKeys.map((top) => ({ ...renderKey(top), sharePct: top.sharePercent })),
    topApps: insights.topApps.map((top) => ({ ...renderApp(top), sharePct: top.sharePercent })),
    performance: { p50FirstTokenMs, p95FirstTokenMs, errorRate },
    cacheSavings: usdJson(insights.totals.saved),
  }
}
