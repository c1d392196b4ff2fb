import { usdJson } from '#domain/money/nano-usd.ts'
import type { MemberListing } from '#domain/organizations/member.ts'
import type { JsonObject } from '#lib/json.ts'
import { budgetJson } from './render-organization.ts'

export function renderMember(member: MemberListing): JsonObject {
  return {
    id: member.id,
    user: { ...member.user },
    team: member.team === null ? null : { ...member.team },
    role: member.role,
    joinedAt: new Date(member.joinedAtMs).toISOString(),
    monthlyBudget: budgetJson(member.monthlyBudget),
    spendThisMonth: usdJson(member.spentThisMonth),
  }
}
