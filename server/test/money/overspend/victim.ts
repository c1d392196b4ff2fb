import { parseUsd } from '#domain/money/nano-usd.ts'
import type { MoneyWorld } from '../money-world.ts'

/** The limits to exceed. */
export const limits = [
  'wallet',
  'organization wallet',
  'credit line',
  'key cap',
  'monthly key cap',
  'member budget',
  'team budget',
  'weekly budget',
  'monthly budget',
  'session quota',
  'person quota',
] as const
export type Limit = (typeof limits)[number]

/** A client with exactly this amount to spend. Only this attack uses the wallet. */
export interface Victim {
  readonly key: string
  readonly walletId: string
  readonly organizationId: string | null
}

const plentyUsd = '1000'

/** Clients with more credit have another limit. */
export async function createVictim(world: MoneyWorld, limit: Limit, usd: string): Promise<Victim> {
  switch (limit) {
    case 'wallet':
      return { ...(await world.createClient({ usd })), organizationId: null }
    case 'key cap':
    case 'monthly key cap': {
      const terms = { limit: parseUsd(usd), period: limit === 'key cap' ? null : ('month' as const) }
      return { ...(await world.createClient({ usd: plentyUsd, terms })), organizationId: null }
    }
    case 'organization wallet':
    case 'credit line': {
      const funds = limit === 'credit line' ? { usd: '0', creditLineUsd: usd } : { usd }
      const { id, walletId } = await world.createOrganization(funds)
      return { walletId, organizationId: id, ...(await world.addOrganizationKey(id)) }
    }
    default:
      return createMemberWith(world, limit, usd)
  }
}

type SharedLimit = Exclude<Limit, 'wallet' | 'key cap' | 'monthly key cap' | 'organization wallet' | 'credit line'>

async function createMemberWith(world: MoneyWorld, limit: SharedLimit, usd: string): Promise<Victim> {
  const { id, walletId } = await world.createOrganization({ usd: plentyUsd })
  const home = { walletId, organizationId: id }
  const budgetOf = (name: SharedLimit) => (limit === name ? { monthlyBudgetUsd: usd } : {})
  if (limit === 'session quota') {
    const { sessionId, token } = await world.addInstitutionSession(id)
    await world.pool.query(
      `UPDATE institution_sessions SET spend_quota_nano = $1, expires_at = '9999-01-01Z' WHERE id = $2`,
      [parseUsd(usd), sessionId],
    )
    return { ...home, key: token }
  }
  if (limit === 'person quota') {
    const { sessionId, institutionKeyId, token } = await world.addInstitutionSession(id)
    await world.pool.query('UPDATE institution_keys SET person_month_quota_nano = $1 WHERE key_id = $2', [
      parseUsd(usd),
      institutionKeyId,
    ])
    await world.pool.query(`UPDATE institution_sessions SET expires_at = '9999-01-01Z' WHERE id = $1`, [sessionId])
    return { ...home, key: token }
  }
  const { teamId } = await world.addTeam(id, budgetOf('team budget'))
  const { memberId } = await world.addMember(id, { teamId, ...budgetOf('member budget') })
  const column = { 'weekly budget': 'weekly_budget_nano', 'monthly budget': 'monthly_budget_nano' }[String(limit)]
  if (column !== undefined) {
    await world.pool.query(`UPDATE organizations SET ${column} = $1 WHERE id = $2`, [parseUsd(usd), id])
  }
  return { ...home, ...(await world.addOrganizationKey(id, { memberId, teamId })) }
}
