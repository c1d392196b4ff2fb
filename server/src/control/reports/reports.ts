import { marginRate } from '#domain/money/margin-rate.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Tag } from '#domain/tags/tag.ts'
import { sharePercents } from '#domain/usage/share-percents.ts'
import { percentOf, pricePerMillion } from '#domain/usage/usage-figures.ts'
import { type CalendarDate, type CalendarMonth, daysOf, endOf, monthOf, startOf } from '#lib/utc-calendar.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { SpendingMember } from '#ports/organizations.ts'
import {
  addSums,
  bySpend,
  readPayingWallet,
  type ReportDeps,
  type ReportQuery,
  type ReportSums,
} from './report-deps.ts'

export interface OverviewReport extends CalendarMonth, ReportSums {
  readonly marginRate: number
  readonly previousMonthSpend: NanoUsd
  readonly days: readonly DayReport[]
}

export interface DayReport extends ReportSums {
  readonly date: CalendarDate
}

/** The month in total and by day. Both come from the same rows, so the days always add up to the total. */
export async function reportOverview(deps: ReportDeps, query: ReportQuery, nowMs: number): Promise<OverviewReport> {
  const walletId = await readPayingWallet(deps, query)
  const { month } = query
  const previous = { startMs: startOf('month', month.startMs - 1), endMs: month.startMs }
  const [rows, before] = await Promise.all([
    deps.usage.sum({ walletId, range: month, by: ['day'] }),
    deps.usage.sum({ walletId, range: previous, by: [] }),
  ])
  const past = daysOf({ startMs: month.startMs, endMs: Math.min(month.endMs, endOf('day', nowMs)) })
  // A gateway whose clock is ahead may already have accepted requests of the next day.
  const used = rows.flatMap(({ day }) => day ?? [])
  const sumsOf = new Map(rows.map((row) => [row.day, row]))
  const days = [...new Set([...past, ...used])].map((date) => {
    const row = sumsOf.get(date)
    return { date, ...addSums(row === undefined ? [] : [row]) }
  })
  return {
    ...monthOf(month.startMs),
    ...addSums(rows),
    marginRate,
    previousMonthSpend: addSums(before).spend,
    days,
  }
}

export interface ModelReport extends ReportSums {
  readonly model: string
  readonly sharePercent: number
  readonly promptTokens: number
  readonly completionTokens: number
  readonly pricePerMillion: NanoUsd | null
}

/** The month's usage by model. */
export async function reportByModel(deps: ReportDeps, query: ReportQuery): Promise<ModelReport[]> {
  const walletId = await readPayingWallet(deps, query)
  const rows = await deps.usage.sum({ walletId, range: query.month, by: ['model'] })
  const shares = sharePercents(rows.map(({ spent }) => spent))
  return rows
    .map((row, position) => {
      const sums = addSums([row])
      const { model = '', promptTokens, completionTokens } = row
      const sharePercent = shares[position] ?? 0
      const price = pricePerMillion({ spent: sums.spend, tokens: sums.tokens })
      return { model, ...sums, sharePercent, promptTokens, completionTokens, pricePerMillion: price }
    })
    .sort(bySpend)
}

export interface TeamReport extends ReportSums {
  /** Null for usage without a team. */
  readonly teamId: Uuid | null
  /** Null if there is no team, or it was deleted. */
  readonly name: string | null
  readonly costCenterCode: string | null
  readonly sharePercent: number
  readonly monthlyBudget: NanoUsd | null
  readonly budgetPercent: number | null
  readonly models: readonly TeamModelReport[]
}

interface TeamModelReport extends ReportSums {
  readonly model: string
}

/**
 * The month's usage by team and model: teams with spend, and teams that existed by the end of the month. Spend counts
 * for the team of the request, wherever its member is today.
 */
export async function reportByTeam(deps: ReportDeps, query: ReportQuery): Promise<TeamReport[]> {
  const walletId = await readPayingWallet(deps, query)
  const [rows, teams] = await Promise.all([
    deps.usage.sum({ walletId, range: query.month, by: ['team', 'model'] }),
    deps.spenders.listTeams(query.organizationId),
  ])
  const rowsOf = Map.groupBy(rows, ({ team }) => team ?? null)
  const known = new Map<Uuid | null, (typeof teams)[number]>(teams.map((team) => [team.id, team]))
  const listed = teams.filter(({ id, createdAtMs }) => rowsOf.has(id) || createdAtMs < query.month.endMs)
  const places = [...new Set([...listed.map(({ id }) => id), ...rowsOf.keys()])]
  const shares = sharePercents(places.map((teamId) => addSums(rowsOf.get(teamId) ?? []).spend))
  return places
    .map((teamId, position) => {
      const spending = rowsOf.get(teamId) ?? []
      const sums = addSums(spending)
      const team = known.get(teamId)
      const monthlyBudget = team?.monthlyBudget ?? null
      return {
        teamId,
        name: team?.name ?? null,
        costCenterCode: team?.costCenterCode ?? null,
        ...sums,
        sharePercent: shares[position] ?? 0,
        monthlyBudget,
        budgetPercent: percentOf({ spent: sums.spend, budget: monthlyBudget }),
        models: spending.map((row) => ({ model: row.model ?? '', ...addSums([row]) })).sort(bySpend),
      }
    })
    .sort(bySpend)
}

export interface MemberReport extends ReportSums {
  /** Null for usage of keys without a member. */
  readonly memberId: Uuid | null
  readonly user: SpendingMember['user'] | null
  /** The member's current team. */
  readonly team: SpendingMember['team']
  readonly monthlyBudget: NanoUsd | null
  readonly budgetPercent: number | null
}

/** The month's usage by member: members with spend, and those who had joined by the end of the month. */
export async function reportByMember(deps: ReportDeps, query: ReportQuery): Promise<MemberReport[]> {
  const walletId = await readPayingWallet(deps, query)
  const rows = await deps.usage.sum({ walletId, range: query.month, by: ['member'] })
  const rowOf = new Map(rows.map((row) => [row.member ?? null, row]))
  const mentioned = [...rowOf.keys()].filter((id) => id !== null)
  const members = await deps.spenders.listMembers({ organizationId: query.organizationId, mentioned })
  const known = new Map<Uuid | null, SpendingMember>(members.map((member) => [member.id, member]))
  const listed = members.filter(({ id, joinedAtMs }) => rowOf.has(id) || (joinedAtMs ?? 0) < query.month.endMs)
  return [...new Set([...listed.map(({ id }) => id), ...rowOf.keys()])]
    .map((memberId) => {
      const row = rowOf.get(memberId)
      const sums = addSums(row === undefined ? [] : [row])
      const member = known.get(memberId)
      const monthlyBudget = member?.monthlyBudget ?? null
      return {
        memberId,
        user: member?.user ?? null,
        team: member?.team ?? null,
        ...sums,
        monthlyBudget,
        budgetPercent: percentOf({ spent: sums.spend, budget: monthlyBudget }),
      }
    })
    .sort(bySpend)
}

export interface TagReport extends ReportSums, Tag {}

/**
 * The month's usage by tag. A request with several tags counts for each of them. Requests without tags are left out.
 */
export async function reportByTag(deps: ReportDeps, query: ReportQuery): Promise<TagReport[]> {
  const walletId = await readPayingWallet(deps, query)
  const rows = await deps.usage.sum({ walletId, range: query.month, by: ['tag'] })
  const tags = await deps.subjects.readTags({ walletId, tagIds: rows.flatMap(({ tag }) => tag ?? []) })
  return rows
    .flatMap((row) => {
      const tag = row.tag === undefined ? undefined : tags.get(row.tag)
      return tag === undefined ? [] : [{ ...tag, ...addSums([row]) }]
    })
    .sort(bySpend)
}
