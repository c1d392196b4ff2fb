import { fillAutoTiers } from '#control/operators/fill-auto-tiers.ts'
import { operatorAuthor } from '#control/operators/operator-author.ts'
import { createAutoTierBook } from '#store/postgres/auto/auto-tier-book.ts'
import { createCatalogueStore } from '#store/postgres/catalogue/catalogue-store.ts'
import type { Command } from './command.ts'
import { describeAutoTiers } from './describe-auto-tiers.ts'
import { withSession } from './session.ts'

export const autoDefaults: Command = {
  words: 'auto defaults',
  summary: 'Fill tiers of the auto router that have no models, by rule, from what the provider accounts can serve.',
  options: { replace: { type: 'boolean', description: 'Choose anew for tiers that have models, too.' } },
  run: (input) =>
    withSession(async ({ pool, operators }) => {
      const deps = { book: createAutoTierBook(pool, Date.now), catalogue: createCatalogueStore(pool), operators }
      const options = { replace: input.flag('replace') }
      return describeAutoTiers(await fillAutoTiers(deps, options, operatorAuthor(Date.now())))
    }),
}
