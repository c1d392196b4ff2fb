import { changeAutoTier } from '#control/operators/change-auto-tier.ts'
import { fillAutoTiers } from '#control/operators/fill-auto-tiers.ts'
import { parseAutoTable, parseAutoTier, type TierModels, type TierRow } from '#domain/routing/auto/auto-tables.ts'
import { type AutoTable, autoTables, type AutoTier, autoTiers } from '#domain/routing/auto/tiers.ts'
import { createAutoTierStore } from '#store/postgres/auto/auto-tier-store.ts'
import { createCatalogueStore } from '#store/postgres/catalogue/catalogue-store.ts'
import { commandAuthor } from '../command-line/command-author.ts'
import { type Command, type CommandInput, type CommandOutput, UsageError } from '../command-line/command.ts'
import { formatTable } from '../command-line/format-table.ts'
import { withSession } from '../command-line/session.ts'

export const autoCommands: readonly Command[] = [
  {
    words: 'auto list',
    summary: 'List the tiers of the auto router and their models in order.',
    run: () => withSession(async ({ pool }) => describeAutoTiers(await createAutoTierStore(pool, Date.now).list())),
  },
  {
    words: 'auto set',
    summary: 'Set the models of an auto router tier: a primary and up to five fallbacks.',
    positionals: ['paid|free', 'tier', 'model…'],
    run: async (input) => changeTier({ ...autoTierArgument(input), models: input.rest(2) }),
  },
  {
    words: 'auto enable',
    summary: 'Enable a tier of the auto router.',
    positionals: ['paid|free', 'tier'],
    run: async (input) => changeTier({ ...autoTierArgument(input), enabled: true }),
  },
  {
    words: 'auto disable',
    summary: 'Disable a tier of the auto router: its requests are rejected with 503.',
    positionals: ['paid|free', 'tier'],
    run: async (input) => changeTier({ ...autoTierArgument(input), enabled: false }),
  },
  {
    words: 'auto defaults',
    summary: 'Fill empty auto router tiers with default models that the provider accounts can serve.',
    options: { replace: { type: 'boolean', description: 'Also replace tiers that already have models.' } },
    run: (input) =>
      withSession(async ({ pool, operators }) => {
        const deps = { store: createAutoTierStore(pool, Date.now), catalogue: createCatalogueStore(pool), operators }
        const options = { replace: input.flag('replace') }
        return describeAutoTiers(await fillAutoTiers(deps, options, commandAuthor(Date.now())))
      }),
  },
]

/** Reads the table and the tier from the first arguments. */
function autoTierArgument(input: CommandInput): { table: AutoTable; tier: AutoTier } {
  const table = parseAutoTable(input.argument(0))
  const tier = parseAutoTier(input.argument(1))
  if (table === undefined) throw new UsageError(`The table must be one of ${autoTables.join(', ')}.`)
  if (tier === undefined) throw new UsageError(`The tier must be one of ${autoTiers.join(', ')}.`)
  return { table, tier }
}

/** Shared by the commands that change one tier. */
function changeTier(change: Pick<TierRow, 'table' | 'tier'> & Partial<TierModels>): Promise<CommandOutput> {
  return withSession(async ({ pool }) => {
    const deps = { store: createAutoTierStore(pool, Date.now), catalogue: () => createCatalogueStore(pool).load() }
    return describeAutoTiers([await changeAutoTier(deps, change, commandAuthor(Date.now()))])
  })
}

function describeAutoTiers(rows: readonly TierRow[]): CommandOutput {
  const cells = rows.map(({ table, tier, enabled, models }) => [
    table,
    tier,
    enabled ? 'yes' : 'no',
    models.length === 0 ? '(none)' : models.join(', '),
  ])
  const data = rows.map((row) => ({ ...row, models: [...row.models] }))
  return { lines: formatTable(['TABLE', 'TIER', 'ENABLED', 'MODELS'], cells), data }
}
