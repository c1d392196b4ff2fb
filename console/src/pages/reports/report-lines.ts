import type { MemberSpend, ModelSpend, TagSpend, TeamSpend } from '../../api/reports.ts'
import { type ExactNumber, type Nano, toNano } from '../../lib/money.ts'

/** A line of any report. */
export interface ReportLine {
  readonly id: string
  readonly name: string
  /** What tells lines of one name apart: an address, a cost center, teams. */
  readonly note: string
  readonly spend: Nano
  readonly requests: number
  readonly tokens: number
  /** Null without a budget. */
  readonly budget: Nano | null
  /** The requests that the line links to, if it is about a model or a tag. */
  readonly requestsOf?: { readonly model: string } | { readonly tag: string }
}

interface Sums {
  readonly spend: ExactNumber
  readonly requests: ExactNumber
  readonly tokens: ExactNumber
}

function sumsOf({ spend, requests, tokens }: Sums) {
  return { spend: toNano(spend), requests: Number(requests), tokens: Number(tokens), budget: null }
}

export function memberLines(members: readonly MemberSpend[]): ReportLine[] {
  return members.map((member) => ({
    ...sumsOf(member),
    id: member.memberId ?? 'none',
    name: member.memberId === null ? 'No member' : (member.user?.name ?? 'Deleted user'),
    note: member.user?.email ?? (member.memberId === null ? 'Keys without a member' : ''),
    budget: member.monthlyBudget === null ? null : toNano(member.monthlyBudget),
  }))
}

export function teamLines(teams: readonly TeamSpend[]): ReportLine[] {
  return teams.map((team) => ({
    ...sumsOf(team),
    id: team.teamId ?? 'none',
    name: teamName(team),
    note: team.costCenterCode ?? '',
    budget: team.monthlyBudget === null ? null : toNano(team.monthlyBudget),
  }))
}

function teamName({ teamId, name }: TeamSpend): string {
  if (name !== null) return name
  return teamId === null ? 'No team' : 'Deleted team'
}

export function modelLines(models: readonly ModelSpend[]): ReportLine[] {
  return models.map(({ model, spend, requests, promptTokens, completionTokens }) => ({
    id: model,
    name: model,
    note: '',
    spend: toNano(spend),
    requests: Number(requests),
    tokens: Number(promptTokens) + Number(completionTokens),
    budget: null,
    requestsOf: { model },
  }))
}

export function tagLines(tags: readonly TagSpend[]): ReportLine[] {
  return tags.map((spend) => {
    const tag = `${spend.name}=${spend.value}`
    return { ...sumsOf(spend), id: tag, name: tag, note: '', requestsOf: { tag } }
  })
}

export function dayLines(days: readonly (Sums & { readonly date: string })[]): ReportLine[] {
  return days.map((day) => ({ ...sumsOf(day), id: day.date, name: day.date, note: '' }))
}

/** Adds up the teams of each cost center, the dearest first. */
export function costCenterLines(teams: readonly TeamSpend[]): ReportLine[] {
  const groups = Map.groupBy(teams, ({ costCenterCode }) => costCenterCode ?? '')
  return [...groups]
    .map(([code, members]): ReportLine => {
      const lines = teamLines(members)
      return {
        id: code === '' ? 'none' : code,
        name: code === '' ? 'No cost center' : code,
        note: lines.map(({ name }) => name).join(', '),
        ...totalOf(lines),
        budget: null,
      }
    })
    .toSorted((one, other) => (one.spend === other.spend ? 0 : one.spend > other.spend ? -1 : 1))
}

export function totalOf(lines: readonly ReportLine[]): Pick<ReportLine, 'spend' | 'requests' | 'tokens'> {
  return {
    spend: lines.reduce((sum, { spend }) => sum + spend, 0n),
    requests: lines.reduce((sum, { requests }) => sum + requests, 0),
    tokens: lines.reduce((sum, { tokens }) => sum + tokens, 0),
  }
}

/** A share in percent with one decimal, such as `12.5%`. */
export function percentOf(part: Nano, whole: Nano): string {
  if (whole === 0n) return ''
  return `${(Number((part * 1_000n) / whole) / 10).toLocaleString('en', { minimumFractionDigits: 1 })}%`
}
