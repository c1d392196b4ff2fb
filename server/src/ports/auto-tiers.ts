import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import type { TierModels, TierRow } from '#domain/routing/auto/auto-tables.ts'

/** Which models serve the tiers of `auto`. Every change moves a revision and is audited in the same transaction. */
export interface AutoTierBook {
  /** In the order of the tiers, the paid table first. */
  list(): Promise<readonly TierRow[]>
  /** What is left out stays as it is. */
  change(
    place: Pick<TierRow, 'table' | 'tier'>,
    change: Partial<TierModels>,
    describe: (before: TierModels, after: TierModels) => AuditEntry | null,
  ): Promise<TierRow>
}
