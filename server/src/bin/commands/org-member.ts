import { addMember } from '#control/organizations/add-member.ts'
import { readOrganization } from '#control/organizations/read-organizations.ts'
import { removeMember } from '#control/organizations/remove-member.ts'
import { isRole, roles } from '#domain/access/roles.ts'
import { monthStartOf } from '#domain/limits/month-start.ts'
import { formatUsd } from '#domain/money/nano-usd.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { Organizations } from '#ports/organizations.ts'
import { createOrganizations } from '#store/postgres/organizations/organization-store.ts'
import { commandActor } from '../command-line/command-author.ts'
import { type Command, UsageError } from '../command-line/command.ts'
import { formatTable } from '../command-line/format-table.ts'
import { parseOptionalAmount } from '../command-line/read-values.ts'
import { withSession } from '../command-line/session.ts'

export const orgMemberCommands: readonly Command[] = [
  {
    words: 'org member add',
    summary: 'Add a user to an organization.',
    positionals: ['org', 'user'],
    options: {
      role: { type: 'string', value: '<role>', description: `One of ${roles.join(', ')}. Default member.` },
      team: { type: 'string', value: '<team>', description: 'Team id or name; required for team_admin.' },
      budget: { type: 'string', value: '<usd>', description: 'Monthly budget in USD.' },
    },
    async run(input) {
      const role = input.text('role') ?? 'member'
      if (!isRole(role)) throw new UsageError(`The role must be one of ${roles.join(', ')}.`)
      const monthlyBudget = parseOptionalAmount(input.text('budget'))
      if (monthlyBudget !== null && monthlyBudget < 0n) throw new UsageError("The budget can't be negative.")
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
            stamp: { chainId: id, actor: commandActor(), requestId: null },
          },
          Date.now(),
        )
        const data = { id: member.id, userId: member.userId, role: member.role, teamId: member.teamId }
        return { lines: [`${email} is now ${role} of ${slug}`], data }
      })
    },
  },
  {
    words: 'org member remove',
    summary: "Remove a member, by user or membership, and delete the member's keys in the organization.",
    positionals: ['org', 'member'],
    run: (input) =>
      withSession(async ({ pool, announce }) => {
        const organizations = createOrganizations(pool)
        const { id, slug } = await readOrganization(organizations, input.argument(0))
        const reference = input.argument(1).toLowerCase()
        const members = await organizations.listMembers({ organizationId: id, monthStart: monthStartOf(Date.now()) })
        const member = members.find((entry) =>
          [entry.id, entry.user.id, entry.user.email.toLowerCase()].includes(reference),
        )
        if (member === undefined) {
          throw new GatewayError('notFound', { message: `Member ${input.argument(1)} not found in ${slug}.` })
        }
        const stamp = { chainId: id, actor: commandActor(), requestId: null }
        const grant = { reach: 'organization' } as const
        await removeMember({ organizations, announce }, { memberId: member.id, grant, stamp })
        return { lines: [`removed ${member.user.email} from ${slug}`], data: { id: member.id } }
      }),
  },
  {
    words: 'org member list',
    summary: 'List the members of an organization.',
    positionals: ['org'],
    run: (input) =>
      withSession(async ({ pool }) => {
        const organizations = createOrganizations(pool)
        const { id } = await readOrganization(organizations, input.argument(0))
        const members = await organizations.listMembers({ organizationId: id, monthStart: monthStartOf(Date.now()) })
        const data = members.map((member) => ({
          id: member.id,
          userId: member.user.id,
          email: member.user.email,
          role: member.role,
          team: member.team?.name ?? null,
          monthlyBudget: member.monthlyBudget === null ? null : formatUsd(member.monthlyBudget),
          spentThisMonth: formatUsd(member.spentThisMonth),
        }))
        const rows = data.map((member) => [
          member.email,
          member.role,
          member.team ?? '',
          member.spentThisMonth,
          member.monthlyBudget ?? '',
          member.id,
        ])
        return { lines: formatTable(['EMAIL', 'ROLE', 'TEAM', 'SPENT', 'BUDGET', 'ID'], rows), data }
      }),
  },
]

async function findTeamId(organizations: Organizations, organizationId: Uuid, reference: string | undefined) {
  if (reference === undefined) return null
  const teams = await organizations.listTeams({ organizationId, monthStart: monthStartOf(Date.now()) })
  const wanted = reference.toLowerCase()
  const team = teams.find(({ id, name }) => id === wanted || name.toLowerCase() === wanted)
  if (team === undefined) throw new GatewayError('notFound', { message: `Team ${reference} not found.` })
  return team.id
}
