import { readOrganization } from '#control/organizations/read-organization.ts'
import { createOrganizations } from '#store/postgres/organizations/organizations.ts'
import type { Command } from './command.ts'
import { describeOrganization } from './describe-organization.ts'
import { withSession } from './session.ts'

export const orgShow: Command = {
  words: 'org show',
  summary: 'Show an organization, by its slug or id.',
  positionals: ['org'],
  run: (input) =>
    withSession(async ({ pool }) => {
      const data = describeOrganization(await readOrganization(createOrganizations(pool), input.argument(0)))
      return { lines: Object.entries(data).map(([name, value]) => `${name.padEnd(13)}  ${value ?? 'none'}`), data }
    }),
}
