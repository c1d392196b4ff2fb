import { parseAutoTable, parseAutoTier } from '#domain/routing/auto/auto-tables.ts'
import { type AutoTable, type AutoTier, autoTables, autoTiers } from '#domain/routing/auto/tiers.ts'
import { type CommandInput, UsageError } from './command.ts'

/** The table and the tier that a command begins with. */
export function autoTierArgument(input: CommandInput): { table: AutoTable; tier: AutoTier } {
  const table = parseAutoTable(input.argument(0))
  const tier = parseAutoTier(input.argument(1))
  if (table === undefined) throw new UsageError(`The table is one of ${autoTables.join(', ')}.`)
  if (tier === undefined) throw new UsageError(`The tier is one of ${autoTiers.join(', ')}.`)
  return { table, tier }
}
