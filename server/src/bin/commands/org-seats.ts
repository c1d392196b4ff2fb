import { operateOrganization } from '#control/organizations/operate-organization.ts'
import { createOrganizations } from '#store/postgres/organizations/organizations.ts'
import type { Command } from './command.ts'
import { describeOrganization } from './describe-organization.ts'
import { parseSeats } from './parse-seats.ts'
import { withSession } from './session.ts'

export const orgSeats: Command = {
  words: 'org seats',
  summary: 'Set how many members an organization may have. Whoever is there already stays.',
  positionals: ['org', 'count|unlimited'],
  async run(input) {
    const seats = parseSeats(input.argument(1))
    return withSession(async ({ pool, announce }) => {
      const deps = { organizations: createOrganizations(pool), announce }
      const organization = await operateOrganization(deps, { reference: input.argument(0), change: { seats } })
      const lines = [
        `${organization.slug} has ${seats ?? 'unlimited'} seats, ${organization.memberCount} of them taken`,
      ]
      return { lines, data: describeOrganization(organization) }
    })
  },
}
