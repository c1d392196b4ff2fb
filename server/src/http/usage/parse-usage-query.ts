import type { InsightsQuestion } from '#control/usage/describe-insights.ts'
import type { AskedFilters } from '#control/usage/usage-scope.ts'
import { heatmapMetrics } from '#domain/usage/heatmap.ts'
import { insightsPeriods } from '#domain/usage/insights-period.ts'
import {
  fitsHours,
  granularities,
  type Granularity,
  judgeCustomRange,
  rangeSoFar,
  type UsagePeriod,
  usagePeriods,
} from '#domain/usage/usage-period.ts'
import { type Tag, tagIn } from '#domain/tags/tag.ts'
import { type DayRange, parseDate } from '#lib/utc-calendar.ts'
import { type Query, refuseValue, textOf } from '../request-values.ts'

export interface UsageQuestion {
  readonly period: UsagePeriod
  readonly range: DayRange
  readonly granularity: Granularity
  readonly filters: AskedFilters
}

export function parseUsageQuery(query: Query, nowMs: number): UsageQuestion {
  const period = choiceOf(query, 'period', usagePeriods, 'month')
  const range = period === 'custom' ? customRangeOf(query) : rangeSoFar(period, nowMs)
  const granularity = choiceOf(query, 'granularity', granularities, 'day')
  if (granularity === 'hour' && !fitsHours(range)) {
    throw refuseValue('granularity', 'day when the range is longer than 7 days')
  }
  return { period, range, granularity, filters: filtersOf(query) }
}

function customRangeOf(query: Query): DayRange {
  const judged = judgeCustomRange({ fromMs: dateOf(query, 'from'), toMs: dateOf(query, 'to') })
  if (!judged.accepted) throw refuseValue('to', judged.problem)
  return judged.range
}

function dateOf(query: Query, name: 'from' | 'to'): number {
  const moment = parseDate(query[name] ?? '')
  if (moment === undefined) throw refuseValue(name, 'a date such as 2026-03-01 when period is custom')
  return moment
}

export function parseInsightsQuery(query: Query): InsightsQuestion {
  return {
    period: choiceOf(query, 'period', insightsPeriods, '7d'),
    metric: choiceOf(query, 'heatmap_metric', heatmapMetrics, 'spend'),
    filters: filtersOf(query),
  }
}

function filtersOf(query: Query): AskedFilters {
  return {
    model: textOf(query, 'model'),
    apiKeyId: textOf(query, 'api_key_id'),
    app: textOf(query, 'app'),
    memberId: textOf(query, 'member_id'),
    teamId: textOf(query, 'team_id'),
    tag: tagOf(query),
  }
}

export function tagOf(query: Query): Tag | null {
  const text = textOf(query, 'tag')
  if (text === null) return null
  const tag = tagIn(text)
  if (tag === null) throw refuseValue('tag', 'a tag such as team=search')
  return tag
}

/** A parameter with a few allowed values; the default if it is missing. */
function choiceOf<Choice extends string>(
  query: Query,
  name: string,
  choices: readonly Choice[],
  usual: Choice,
): Choice {
  const text = query[name] ?? ''
  if (text === '') return usual
  const chosen = choices.find((choice) => choice === text)
  if (chosen === undefined) throw refuseValue(name, `one of ${choices.join(', ')}`)
  return chosen
}
