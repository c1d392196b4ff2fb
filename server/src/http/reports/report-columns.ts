import type { DayReport, MemberReport, ModelReport, TagReport, TeamReport } from '#control/reports/reports.ts'
import { formatUsd, type NanoUsd } from '#domain/money/nano-usd.ts'
import { byteOrderMark, type CsvCell, csvLine } from '#lib/csv-line.ts'
import { currency } from './render-reports.ts'

/** The cells of a line by column name. */
type Columns<Line> = Readonly<Record<string, (line: Line) => CsvCell>>

/** One line per day. There is no line for the month, because a reader who sums a column would count it twice. */
export const dayColumns: Columns<DayReport> = {
  date: (day) => day.date,
  currency: () => currency,
  spend: (day) => usdCell(day.spend),
  requests: (day) => day.requests,
  tokens: (day) => day.tokens,
}

export const teamColumns: Columns<TeamReport> = {
  team_id: (team) => team.teamId,
  name: (team) => team.name,
  cost_center_code: (team) => team.costCenterCode,
  currency: () => currency,
  spend: (team) => usdCell(team.spend),
  share_pct: (team) => team.sharePercent,
  requests: (team) => team.requests,
  tokens: (team) => team.tokens,
  monthly_budget: (team) => usdCell(team.monthlyBudget),
  budget_utilization_pct: (team) => team.budgetPercent,
}

export const modelColumns: Columns<ModelReport> = {
  model: (model) => model.model,
  currency: () => currency,
  spend: (model) => usdCell(model.spend),
  share_pct: (model) => model.sharePercent,
  requests: (model) => model.requests,
  prompt_tokens: (model) => model.promptTokens,
  completion_tokens: (model) => model.completionTokens,
  avg_price_per_1m: (model) => usdCell(model.pricePerMillion),
}

export const memberColumns: Columns<MemberReport> = {
  member_id: (member) => member.memberId,
  user_id: (member) => member.user?.id ?? null,
  user_name: (member) => member.user?.name ?? null,
  user_email: (member) => member.user?.email ?? null,
  team_id: (member) => member.team?.id ?? null,
  team_name: (member) => member.team?.name ?? null,
  currency: () => currency,
  spend: (member) => usdCell(member.spend),
  requests: (member) => member.requests,
  tokens: (member) => member.tokens,
  monthly_budget: (member) => usdCell(member.monthlyBudget),
  budget_utilization_pct: (member) => member.budgetPercent,
}

export const tagColumns: Columns<TagReport> = {
  tag: ({ name, value }) => `${name}=${value}`,
  currency: () => currency,
  spend: (tag) => usdCell(tag.spend),
  requests: (tag) => tag.requests,
  tokens: (tag) => tag.tokens,
}

// All digits, as in JSON. An amount is never negative here, so no spreadsheet reads it as a formula.
function usdCell(amount: NanoUsd | null): string | null {
  return amount === null ? null : formatUsd(amount)
}

// About 50 KB of members.
const linesAtOnce = 500

/** A report as a CSV file for spreadsheets, generated while it is sent. */
export async function* reportCsv<Line>(columns: Columns<Line>, lines: readonly Line[]): AsyncGenerator<string> {
  yield byteOrderMark + csvLine(Object.keys(columns))
  const cells = Object.values(columns)
  for (let start = 0; start < lines.length; start += linesAtOnce) {
    const some = lines.slice(start, start + linesAtOnce)
    yield some.map((line) => csvLine(cells.map((cellOf) => cellOf(line)))).join('')
  }
}
