import type { Pool } from 'pg'
import { createUser } from '#control/operators/create-user.ts'
import { operatorAuthor } from '#control/operators/platform-entry.ts'
import { addMember } from '#control/organizations/add-member.ts'
import { createOrganization } from '#control/organizations/create-organization.ts'
import { createTeam } from '#control/organizations/create-team.ts'
import { creditWallet } from '#control/wallets/credit-wallet.ts'
import { operatorActor } from '#domain/audit/audit-entry.ts'
import { parseUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import { createPostgresOperators } from '#store/postgres/operators/postgres-operators.ts'
import { createMemberships } from '#store/postgres/organizations/memberships.ts'
import { createOrganizations } from '#store/postgres/organizations/organization-store.ts'

interface DemoOrganization {
  organizationId: string
  userId: string
  memberId: string
  teamId: string | null
}

const slug = 'demo'
const memberEmail = 'member@example.com'
const announce = async (): Promise<void> => {}

/** Creates an organization with credit, a team and a member if it is missing. `adminId` administers it. */
export async function seedDemoOrganization(pool: Pool, adminId: string): Promise<DemoOrganization> {
  const organizations = createOrganizations(pool)
  const { users } = createPostgresOperators(pool)
  const organizationId = (await organizations.find(slug))?.id ?? (await makeOrganization(pool, adminId))
  const user =
    (await users.find(memberEmail)) ?? (await createUser(users, { email: memberEmail, name: 'Mo' }, Date.now()))
  const known = await createMemberships(pool).find({ organizationId, userId: user.id })
  if (known !== null) return { organizationId, userId: user.id, memberId: known.memberId, teamId: known.teamId }
  const deps = { organizations, announce, findUser: users.find }
  const stamp = { chainId: organizationId, actor: operatorActor, requestId: null }
  const [team] = await organizations.listTeams({ organizationId, monthStart: '2026-01-01' })
  const terms = { email: memberEmail, role: 'member', teamId: team?.id ?? null, monthlyBudget: parseUsd('5') } as const
  const member = await addMember(deps, { terms, grant: { reach: 'organization' }, stamp }, Date.now())
  return { organizationId, userId: user.id, memberId: member.id, teamId: member.teamId }
}

async function makeOrganization(pool: Pool, admin: string): Promise<string> {
  const organizations = createOrganizations(pool)
  const { users, wallets } = createPostgresOperators(pool)
  const terms = { name: 'Demo organization', slug, admin, plan: 'standard', seats: null } as const
  const billing = { billing: 'prepaid', creditLine: zeroUsd } as const
  const { id } = await createOrganization({ organizations, users }, { ...terms, ...billing }, Date.now())
  const credit = { reference: id, amount: parseUsd('50'), source: 'grant', note: 'demo credit' } as const
  await creditWallet({ wallets, announce }, credit, operatorAuthor(Date.now()))
  const notes = { description: null, costCenterCode: 'CC-1', permissionScope: null }
  const team = { name: 'Research', ...notes, monthlyBudget: parseUsd('20') }
  const stamp = { chainId: id, actor: operatorActor, requestId: null }
  await createTeam({ organizations, announce }, { terms: team, stamp }, Date.now())
  return id
}
