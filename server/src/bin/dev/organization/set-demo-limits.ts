import type { Pool } from 'pg'
import { changeAllowedModels } from '#control/allowed-models/allowed-models.ts'
import { changeBreaker } from '#control/breakers/change-breaker.ts'
import { changeMember } from '#control/organizations/change-member.ts'
import { changeOrganization } from '#control/organizations/change-organization.ts'
import { changeTeam } from '#control/organizations/change-team.ts'
import { monthStartOf } from '#domain/limits/month-start.ts'
import { type NanoUsd, nanoUsd, parseUsd } from '#domain/money/nano-usd.ts'
import type { Uuid } from '#lib/uuid.ts'
import { createAllowedModelsStore } from '#store/postgres/allowed-models/allowed-models-store.ts'
import { createBreakerStore } from '#store/postgres/breakers/breaker-store.ts'
import { createOrganizations } from '#store/postgres/organizations/organization-store.ts'
import { type DemoTeamName, demoTeams } from './demo-people.ts'
import type { DemoPlace } from './seed-organization-history.ts'

const announce = async (): Promise<void> => {}
const tenCents = 100_000_000n

/** Sets budgets, a breaker and allowed models as the administrator would, so that the audit log has a story. */
export async function setDemoLimits(
  pool: Pool,
  demo: {
    organizationId: Uuid
    adminId: Uuid
    places: readonly DemoPlace[]
    teamIds: ReadonlyMap<DemoTeamName, Uuid>
  },
  nowMs: number,
): Promise<void> {
  const { organizationId } = demo
  const organizations = createOrganizations(pool)
  const deps = { organizations, announce }
  const actor = { kind: 'user', id: demo.adminId, name: 'Demo' } as const
  const stamp = { chainId: organizationId, actor, requestId: null }
  const grant = { reach: 'organization' } as const
  const query = { organizationId, monthStart: monthStartOf(nowMs) }
  const teams = await organizations.listTeams(query)
  const spent = nanoUsd(teams.reduce((sum, { spentThisMonth }) => sum + spentThisMonth, 0n))
  await changeOrganization(deps, { change: { monthlyBudget: budgetOf(spent, 150), memberKeysMax: 2 }, stamp })
  for (const { name, budgetPercent } of demoTeams) {
    const team = teams.find(({ id }) => id === demo.teamIds.get(name))
    if (team === undefined || budgetPercent === null) continue
    const change = { monthlyBudget: budgetOf(team.spentThisMonth, budgetPercent) }
    await changeTeam(deps, { teamId: team.id, change, grant, stamp })
  }
  const members = await organizations.listMembers(query)
  for (const { person, memberId } of demo.places) {
    const member = members.find(({ id }) => id === memberId)
    if (member === undefined) continue
    const change = {
      ...(person.budgetPercent === null
        ? {}
        : { monthlyBudget: budgetOf(member.spentThisMonth, person.budgetPercent) }),
      ...(person.suspended === true ? { suspended: true } : {}),
    }
    if (Object.keys(change).length > 0) await changeMember(deps, { memberId, change, grant, stamp })
  }
  const breakers = { store: createBreakerStore(pool, () => nowMs), announce }
  const breaker = { enabled: true, minute: parseUsd('2'), hour: parseUsd('10') }
  const owner = { kind: 'organization', id: organizationId, organizationId } as const
  await changeBreaker(breakers, { owner, change: breaker, stamp })
  const lists = { store: createAllowedModelsStore(pool, () => nowMs), announce }
  const teamId = demo.teamIds.get('Support') ?? ''
  const allowedModels = ['openai/*', 'test/*', 'deepseek/*']
  await changeAllowedModels(lists, { owner: { kind: 'team', organizationId, teamId }, allowedModels, stamp })
}

/** A percentage of the spend, rounded up to ten cents. */
function budgetOf(spent: NanoUsd, percent: number): NanoUsd {
  const exact = (spent * BigInt(percent)) / 100n
  return nanoUsd(((exact + tenCents - 1n) / tenCents) * tenCents)
}
