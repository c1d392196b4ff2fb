import type { TierRow } from '#domain/routing/auto/auto-tables.ts'
import type { CommandOutput } from './command.ts'
import { formatTable } from './format-table.ts'

export function describeAutoTiers(rows: readonly TierRow[]): CommandOutput {
  const cells = rows.map(({ table, tier, enabled, models }) => [
    table,
    tier,
    enabled ? 'yes' : 'no',
    models.length === 0 ? '(none)' : models.join(', '),
  ])
  const data = rows.map((row) => ({ ...row, models: [...row.models] }))
  return { lines: formatTable(['TABLE', 'TIER', 'ENABLED', 'MODELS'], cells), data }
}
