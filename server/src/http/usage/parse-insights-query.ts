import type { InsightsQuestion } from '#control/usage/describe-insights.ts'
import { heatmapMetrics } from '#domain/usage/heatmap.ts'
import { insightsPeriods } from '#domain/usage/insights-period.ts'
import { type Query, textOf } from '../query-values.ts'
import { choiceOf } from './choice-of.ts'

export function parseInsightsQuery(query: Query): InsightsQuestion {
  return {
    period: choiceOf(query, 'period', insightsPeriods, '7d'),
    metric: choiceOf(query, 'heatmap_metric', heatmapMetrics, 'spend'),
    filters: {
      model: textOf(query, 'model'),
      apiKeyId: textOf(query, 'api_key_id'),
      app: textOf(query, 'app'),
    },
  }
}
