import { operateOrganization } from '#control/organizations/operate-organization.ts'
import { createOrganizations } from '#store/postgres/organizations/organizations.ts'
import type { Command } from './command.ts'
import { withSession } from './session.ts'

export const orgSuspend: Command = {
  words: 'org suspend',
  summary: 'Refuse all keys of an organization with 403.',
  positionals: ['org'],
  run: (input) =>
    withSession(async ({ pool, announce }) => {
      const deps = { organizations: createOrganizations(pool), announce }
      const wanted = { reference: input.argument(0), change: { suspended: true } }
      const { id, slug, suspended } = await operateOrganization(deps, wanted)
      return { lines: [`${slug} is suspended`], data: { id, slug, suspended } }
    }),
}
