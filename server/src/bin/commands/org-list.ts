import { createOrganizations } from '#store/postgres/organizations/organizations.ts'
import type { Command } from './command.ts'
import { describeOrganization } from './describe-organization.ts'
import { formatTable } from './format-table.ts'
import { withSession } from './session.ts'

export const orgList: Command = {
  words: 'org list',
  summary: 'List all organizations.',
  run: () =>
    withSession(async ({ pool }) => {
      const listings = (await createOrganizations(pool).list()).map(describeOrganization)
      const rows = listings.map((listing) => [
        listing.slug,
        listing.name,
        listing.suspended ? 'suspended' : 'active',
        listing.billing,
        listing.balance,
        `${listing.members}${listing.seats === null ? '' : ` of ${listing.seats}`}`,
        listing.id,
      ])
      const heading = ['SLUG', 'NAME', 'STATE', 'BILLING', 'BALANCE', 'MEMBERS', 'ID']
      return { lines: formatTable(heading, rows), data: listings }
    }),
}
