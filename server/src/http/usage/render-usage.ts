import type { KeySums, NamedSums } from '#control/usage/add-up.ts'
import type { Insights, InsightsQuestion } from '#control/usage/describe-insights.ts'
import type { MemberSums, TagSums, TeamSums, UsageDescription } from '#control/usage/describe-usage.ts'
import { tagText } from '#domain/tags/tag.ts'
import { nanoUsd, usdJson } from '#domain/money/nano-usd.ts'
import type { UsageRow, UsageSums } from '#ports/usage.ts'
import type { UsageQuestion } from './parse-usage-query.ts'

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
    ...(usage.byMember === null ? {} : { byMember: usage.byMember.map(renderMember) }),
    ...(usage.byTeam === null ? {} : { byTeam: usage.byTeam.map(renderTeam) }),
    ...(usage.byTag === null ? {} : { byTag: usage.byTag.map(renderTag) }),
    timeSeries: usage.series.map(renderPoint),
  }
}

export function renderInsights({ period, metric, filters }: InsightsQuestion, insights: Insights, nowMs: number) {
  const { p50FirstTokenMs, p95FirstTokenMs, errorRate } = insights
  return {
    period,
    heatmapMetric: metric,
    filters: renderFilters(filters),
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

/** The filters of the request. Member, team and tag are present only if the request named them. */
function renderFilters({ model, apiKeyId, app, memberId, teamId, tag }: InsightsQuestion['filters']) {
  return {
    model,
    apiKeyId,
    app,
    ...(memberId === null ? {} : { memberId }),
    ...(teamId === null ? {} : { teamId }),
    ...(tag === null ? {} : { tag: tagText(tag) }),
  }
}

/** The figures of all usage responses. */
function renderFigures(sums: UsageSums) {
  return { spend: usdJson(sums.spent), tokens: sums.promptTokens + sums.completionTokens, requests: sums.requests }
}

function renderTotals(sums: UsageSums) {
  const { promptTokens, completionTokens } = sums
  return { ...renderFigures(sums), promptTokens, completionTokens }
}

function renderModel({ name, sums }: NamedSums<string>) {
  return { model: name, ...renderFigures(sums) }
}

function renderKey({ name, keyName, sums }: KeySums) {
  return { keyId: name, keyName, ...renderFigures(sums) }
}

function renderApp({ name, sums }: NamedSums<string | null>) {
  return { appName: name, ...renderFigures(sums) }
}

function renderMember({ memberId, person, sums }: MemberSums) {
  return { memberId, name: person?.name ?? null, email: person?.email ?? null, ...renderFigures(sums) }
}

function renderTeam({ teamId, teamName, sums }: TeamSums) {
  return { teamId, teamName, ...renderFigures(sums) }
}

function renderTag({ name, value, sums }: TagSums) {
  return { name, value, ...renderFigures(sums) }
}

/** A point of a series: its hour, day or month, and the figures of one model. */
function renderPoint(row: UsageRow) {
  const { spend, tokens, requests } = renderFigures(row)
  return { date: row.hour ?? row.day ?? row.month ?? null, model: row.model ?? null, cost: spend, tokens, requests }
}
