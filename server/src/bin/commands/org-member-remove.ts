import { readOrganization } from '#control/organizations/read-organization.ts'
import { removeMember } from '#control/organizations/remove-member.ts'
import { operatorActor } from '#domain/audit/audit-entry.ts'
import { monthStartOf } from '#domain/limits/month-start.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { createOrganizations } from '#store/postgres/organizations/organizations.ts'
import type { Command } from './command.ts'
import { withSession } from './session.ts'

export const orgMemberRemove: Command = {
  words: 'org member remove',
  summary: "End a membership, by the user or the membership, and the member's keys of the organization.",
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
        throw new GatewayError('notFound', { message: `${slug} has no member ${input.argument(1)}.` })
      }
      const stamp = { chainId: id, actor: operatorActor, requestId: null }
      const grant = { reach: 'organization' } as const
      await removeMember({ organizations, announce }, { memberId: member.id, grant, stamp })
      return { lines: [`${member.user.email} is no longer in ${slug}`], data: { id: member.id } }
    }),
}
