import { addMember } from '#control/organizations/add-member.ts'
import { readOrganization } from '#control/organizations/read-organization.ts'
import { isRole, roles } from '#domain/access/roles.ts'
import { operatorActor } from '#domain/audit/audit-entry.ts'
import { monthStartOf } from '#domain/limits/month-start.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { Organizations } from '#ports/organizations.ts'
import { createOrganizations } from '#store/postgres/organizations/organizations.ts'
import { type Command, UsageError } from './command.ts'
import { parseOptionalAmount } from './parse-amount.ts'
import { withSession } from './session.ts'

export const orgMemberAdd: Command = {
  words: 'org member add',
  summary: 'Make a user a member of an organization.',
  positionals: ['org', 'user'],
  options: {
    role: { type: 'string', value: '<role>', description: `One of ${roles.join(', ')}. Default member.` },
    team: { type: 'string', value: '<team>', description: 'By id or name; a team_admin needs one.' },
    budget: { type: 'string', value: '<usd>', description: 'Most that may be spent in a month.' },
  },
  async run(input) {
    const role = input.text('role') ?? 'member'
    if (!isRole(role)) throw new UsageError(`The role is one of ${roles.join(', ')}.`)
    const monthlyBudget = parseOptionalAmount(input.text('budget'))
    if (monthlyBudget !== null && monthlyBudget < 0n) throw new UsageError('A budget can not be negative.')
    return withSession(async ({ pool, users, announce }) => {
      const organizations = createOrganizations(pool)
      const { id, slug } = await readOrganization(organizations, input.argument(0))
      const teamId = await findTeamId(organizations, id, input.text('team'))
      const email = input.argument(1)
      const member = await addMember(
        { organizations, announce, findUser: users.find },
        {
          terms: { email, role, teamId, monthlyBudget },
          grant: { reach: 'organization' },
          stamp: { chainId: id, actor: operatorActor, requestId: null },
        },
        Date.now(),
      )
      const data = { id: member.id, userId: member.userId, role: member.role, teamId: member.teamId }
      return { lines: [`${email} is ${role} of ${slug}`], data }
    })
  },
}

async function findTeamId(organizations: Organizations, organizationId: Uuid, reference: string | undefined) {
  if (reference === undefined) return null
  const teams = await organizations.listTeams({ organizationId, monthStart: monthStartOf(Date.now()) })
  const wanted = reference.toLowerCase()
  const team = teams.find(({ id, name }) => id === wanted || name.toLowerCase() === wanted)
  if (team === undefined) throw new GatewayError('notFound', { message: `There is no team ${reference}.` })
  return team.id
}
