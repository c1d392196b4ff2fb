import { createAutoTierBook } from '#store/postgres/auto/auto-tier-book.ts'
import type { Command } from './command.ts'
import { describeAutoTiers } from './describe-auto-tiers.ts'
import { withSession } from './session.ts'

export const autoList: Command = {
  words: 'auto list',
  summary: 'List the tiers of the auto router with their models in the order of trying.',
  run: () => withSession(async ({ pool }) => describeAutoTiers(await createAutoTierBook(pool, Date.now).list())),
}
