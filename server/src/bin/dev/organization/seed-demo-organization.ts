import type { Pool } from 'pg'
import { createUser } from '#control/operators/create-user.ts'
import { operatorAuthor } from '#control/operators/platform-entry.ts'
import { addMember } from '#control/organizations/add-member.ts'
import { createOrganization } from '#control/organizations/create-organization.ts'
import { createTeam } from '#control/organizations/create-team.ts'
import { creditWallet } from '#control/wallets/credit-wallet.ts'
import { operatorActor } from '#domain/audit/audit-entry.ts'
import { parseUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import { plainTeam } from '#domain/organizations/team.ts'
import { assert } from '#lib/assert.ts'
import type { Uuid } from '#lib/uuid.ts'
import { createPostgresOperators } from '#store/postgres/operators/postgres-operators.ts'
import { createMemberships } from '#store/postgres/organizations/memberships.ts'
import { createOrganizations } from '#store/postgres/organizations/organization-store.ts'
import { historyDays } from '../history/seed-history.ts'
import { demoMember, demoPeople, type DemoTeamName, demoTeams } from './demo-people.ts'
import { type DemoPlace, seedOrganizationHistory } from './seed-organization-history.ts'
import { setDemoLimits } from './set-demo-limits.ts'

interface DemoOrganization {
  organizationId: string
  userId: string
  memberId: string
  teamId: string | null
}

const slug = 'demo'
const announce = async (): Promise<void> => {}

/**
 * Creates an organization with teams, people, a month of requests, and limits that are nearly used up, if it is
 * missing. `adminId` administers it. Returns the place of the member whose key the demo uses.
 */
export async function seedDemoOrganization(pool: Pool, adminId: Uuid, nowMs: number): Promise<DemoOrganization> {
  const organizationId =
    (await createOrganizations(pool).find(slug))?.id ?? (await makeOrganization(pool, adminId, nowMs))
  const { users } = createPostgresOperators(pool)
  const user = await users.find(demoMember)
  const place = user === null ? null : await createMemberships(pool).find({ organizationId, userId: user.id })
  assert(user !== null && place !== null, 'the demo organization was created with its member')
  return { organizationId, userId: user.id, memberId: place.memberId, teamId: place.teamId }
}

async function makeOrganization(pool: Pool, adminId: Uuid, nowMs: number): Promise<Uuid> {
  const organizations = createOrganizations(pool)
  const { users, wallets } = createPostgresOperators(pool)
  const monthAgo = operatorAuthor(nowMs - historyDays * 86_400_000)
  const terms = { name: 'Demo organization', slug, admin: adminId, plan: 'standard', seats: 25 } as const
  const billing = { billing: 'prepaid', creditLine: zeroUsd } as const
  const { id, walletId } = await createOrganization({ organizations, users }, { ...terms, ...billing }, monthAgo)
  const credit = { reference: id, amount: parseUsd('50'), source: 'grant', note: 'demo credit' } as const
  await creditWallet({ wallets, announce }, credit, monthAgo)
  const stamp = { chainId: id, actor: operatorActor, requestId: null }
  const teamIds = new Map<DemoTeamName, Uuid>()
  for (const { name, costCenterCode, description } of demoTeams) {
    const team = { ...plainTeam, name, costCenterCode, description }
    const { id: teamId } = await createTeam({ organizations, announce }, { terms: team, stamp }, monthAgo.nowMs)
    teamIds.set(name, teamId)
  }
  const places: DemoPlace[] = []
  for (const person of demoPeople) {
    const { email, name, role } = person
    const user = (await users.find(email)) ?? (await createUser(users, { email, name }, monthAgo.nowMs))
    const teamId = person.team === null ? null : (teamIds.get(person.team) ?? null)
    const deps = { organizations, announce, findUser: users.find }
    const input = {
      terms: { email, role, teamId, monthlyBudget: null },
      grant: { reach: 'organization' },
      stamp,
    } as const
    const member = await addMember(deps, input, monthAgo.nowMs)
    places.push({ person, userId: user.id, memberId: member.id, teamId })
  }
  await seedOrganizationHistory(pool, { organizationId: id, walletId, places }, nowMs)
  await setDemoLimits(pool, { organizationId: id, adminId, places, teamIds }, nowMs)
  return id
}
