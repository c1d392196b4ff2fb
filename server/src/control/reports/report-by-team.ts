import type { NanoUsd } from '#domain/money/nano-usd.ts'
import { percentOf } from '#domain/usage/percent-of.ts'
import { sharePercents } from '#domain/usage/share-percents.ts'
import type { Uuid } from '#lib/uuid.ts'
import { addSums, bySpend, type ReportSums } from './add-sums.ts'
import { readPayingWallet, type ReportDeps, type ReportQuery } from './report-deps.ts'

export interface TeamReport extends ReportSums {
  /** Null: what was spent for no team. */
  readonly teamId: Uuid | null
  /** Null where there is no team, or none any more. */
  readonly name: string | null
  readonly costCenterCode: string | null
  readonly sharePercent: number
  readonly monthlyBudget: NanoUsd | null
  readonly budgetPercent: number | null
  readonly models: readonly TeamModelReport[]
}

export interface TeamModelReport extends ReportSums {
  readonly model: string
}

/**
 * Which teams the month went to, and for which models: all that have spent, and those that were there by its end. Spend
 * counts for the team that the request was made for, wherever its member is today.
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
