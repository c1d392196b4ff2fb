import { readOrganization } from '#control/organizations/read-organization.ts'
import { monthStartOf } from '#domain/limits/month-start.ts'
import { formatUsd } from '#domain/money/nano-usd.ts'
import { createOrganizations } from '#store/postgres/organizations/organizations.ts'
import type { Command } from './command.ts'
import { formatTable } from './format-table.ts'
import { withSession } from './session.ts'

export const orgMemberList: Command = {
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
}
