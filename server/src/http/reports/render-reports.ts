import type { ReportSums } from '#control/reports/report-deps.ts'
import type { MemberReport, ModelReport, OverviewReport, TagReport, TeamReport } from '#control/reports/reports.ts'
import { nullableUsdJson, usdJson } from '#domain/money/nano-usd.ts'

export const currency = 'USD'

export function renderOverview(report: OverviewReport) {
  return {
    year: report.year,
    month: report.month,
    currency,
    totalSpend: usdJson(report.spend),
    marginRate: report.marginRate,
    requests: report.requests,
    tokens: report.tokens,
    previousMonthSpend: usdJson(report.previousMonthSpend),
    dailyTrend: report.days.map((day) => ({ date: day.date, ...renderSums(day) })),
  }
}

export function renderTeams(teams: readonly TeamReport[]) {
  return {
    teams: teams.map((team) => ({
      teamId: team.teamId,
      name: team.name,
      costCenterCode: team.costCenterCode,
      ...renderSums(team),
      sharePct: team.sharePercent,
      monthlyBudget: nullableUsdJson(team.monthlyBudget),
      budgetUtilizationPct: team.budgetPercent,
      models: team.models.map((model) => ({ model: model.model, ...renderSums(model) })),
    })),
  }
}

export function renderModels(models: readonly ModelReport[]) {
  return {
    models: models.map((model) => ({
      model: model.model,
      spend: usdJson(model.spend),
      sharePct: model.sharePercent,
      requests: model.requests,
      promptTokens: model.promptTokens,
      completionTokens: model.completionTokens,
      avgPricePer1M: nullableUsdJson(model.pricePerMillion),
    })),
  }
}

export function renderMembers(members: readonly MemberReport[]) {
  return {
    members: members.map((member) => ({
      memberId: member.memberId,
      user: member.user,
      team: member.team,
      ...renderSums(member),
      monthlyBudget: nullableUsdJson(member.monthlyBudget),
      budgetUtilizationPct: member.budgetPercent,
    })),
  }
}

export function renderTags(tags: readonly TagReport[]) {
  return { tags: tags.map((tag) => ({ name: tag.name, value: tag.value, ...renderSums(tag) })) }
}

function renderSums({ spend, requests, tokens }: ReportSums) {
  return { spend: usdJson(spend), requests, tokens }
}
