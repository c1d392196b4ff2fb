import { operateOrganization } from '#control/organizations/operate-organization.ts'
import { createOrganizations } from '#store/postgres/organizations/organizations.ts'
import type { Command } from './command.ts'
import { withSession } from './session.ts'

export const orgUnsuspend: Command = {
  words: 'org unsuspend',
  summary: 'Let the keys of an organization work again.',
  positionals: ['org'],
  run: (input) =>
    withSession(async ({ pool, announce }) => {
      const deps = { organizations: createOrganizations(pool), announce }
      const wanted = { reference: input.argument(0), change: { suspended: false } }
      const { id, slug, suspended } = await operateOrganization(deps, wanted)
      return { lines: [`${slug} is no longer suspended`], data: { id, slug, suspended } }
    }),
}
