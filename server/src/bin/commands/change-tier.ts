import { changeAutoTier } from '#control/operators/change-auto-tier.ts'
import { operatorAuthor } from '#control/operators/operator-author.ts'
import type { TierModels, TierRow } from '#domain/routing/auto/auto-tables.ts'
import { createAutoTierBook } from '#store/postgres/auto/auto-tier-book.ts'
import { createCatalogueStore } from '#store/postgres/catalogue/catalogue-store.ts'
import type { CommandOutput } from './command.ts'
import { describeAutoTiers } from './describe-auto-tiers.ts'
import { withSession } from './session.ts'

/** What the commands that change one tier have in common. */
export function changeTier(change: Pick<TierRow, 'table' | 'tier'> & Partial<TierModels>): Promise<CommandOutput> {
  return withSession(async ({ pool }) => {
    const deps = { book: createAutoTierBook(pool, Date.now), catalogue: () => createCatalogueStore(pool).load() }
    return describeAutoTiers([await changeAutoTier(deps, change, operatorAuthor(Date.now()))])
  })
}
