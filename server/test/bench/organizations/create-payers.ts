import type { Pool } from 'pg'
import { windowStart } from '#domain/limits/window.ts'
import { parseUsd } from '#domain/money/nano-usd.ts'
import { newUuid } from '#lib/uuid.ts'
import { createAccounts } from '#test/setup/accounts.ts'
import type { Payer } from './money-load.ts'

const limit = parseUsd('1000000')

/**
 * Creates members of organizations with enough money, each under four budgets: their own, their team's and two of the
 * organization.
 */
export async function createPayers(
  pool: Pool,
  size: { organizations: number; teamsEach: number; membersEach: number },
): Promise<Payer[]> {
  const accounts = createAccounts(pool, { secret: 'x'.repeat(32), refresh: async () => {} })
  const nowMs = Date.now()
  const payers: Payer[] = []
  for (let organization = 0; organization < size.organizations; organization += 1) {
    const { id: organizationId, walletId } = await accounts.createOrganization({ usd: '100000' })
    const teams: string[] = []
    for (let team = 0; team < size.teamsEach; team += 1) teams.push((await accounts.addTeam(organizationId)).teamId)
    for (let member = 0; member < size.membersEach; member += 1) {
      const teamId = teams[member % teams.length] ?? ''
      const { memberId, userId } = await accounts.addMember(organizationId, { teamId })
      const [weekMs, monthMs] = [windowStart('week', nowMs), windowStart('month', nowMs)]
      const windows = [
        { kind: 'member_month', ownerId: memberId, startsAtMs: monthMs, limit },
        { kind: 'team_month', ownerId: teamId, startsAtMs: monthMs, limit },
        { kind: 'organization_week', ownerId: organizationId, startsAtMs: weekMs, limit },
        { kind: 'organization_month', ownerId: organizationId, startsAtMs: monthMs, limit },
      ]
      payers.push({ organizationId, walletId, teamId, memberId, userId, keyId: newUuid(nowMs), windows })
    }
  }
  return payers
}
