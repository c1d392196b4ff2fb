import type { NanoUsd } from '#domain/money/nano-usd.ts'
import { percentOf } from '#domain/usage/percent-of.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { SpendingMember } from '#ports/organizations.ts'
import { addSums, bySpend, type ReportSums } from './add-sums.ts'
import { readPayingWallet, type ReportDeps, type ReportQuery } from './report-deps.ts'

export interface MemberReport extends ReportSums {
  /** Null: what was spent with keys that are nobody's in particular. */
  readonly memberId: Uuid | null
  readonly user: SpendingMember['user'] | null
  /** Where the member is today. */
  readonly team: SpendingMember['team']
  readonly monthlyBudget: NanoUsd | null
  readonly budgetPercent: number | null
}

/** Who spent what: everybody who has, and those who had joined by the end of the month. */
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
