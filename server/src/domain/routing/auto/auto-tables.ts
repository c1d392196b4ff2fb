import { type AutoTable, type AutoTier, autoTables, autoTiers } from './tiers.ts'

/** The models of a tier: the primary model, then its fallbacks in order. */
export interface TierModels {
  readonly enabled: boolean
  readonly models: readonly string[]
}

/** Both tables as one immutable value. */
export interface AutoTables {
  readonly revision: number
  readonly paid: ReadonlyMap<AutoTier, TierModels>
  readonly free: ReadonlyMap<AutoTier, TierModels>
}

/** A primary model and up to five fallbacks. */
export const tierModelsMax = 6

export const emptyAutoTables: AutoTables = { revision: 0, paid: new Map(), free: new Map() }

export interface TierRow extends TierModels {
  readonly table: AutoTable
  readonly tier: AutoTier
}

export function buildAutoTables(revision: number, rows: readonly TierRow[]): AutoTables {
  const tableOf = (name: AutoTable): AutoTables[AutoTable] =>
    new Map(rows.filter(({ table }) => table === name).map(({ tier, enabled, models }) => [tier, { enabled, models }]))
  return { revision, paid: tableOf('paid'), free: tableOf('free') }
}

export function parseAutoTable(name: string): AutoTable | undefined {
  return autoTables.find((table) => table === name)
}

export function parseAutoTier(name: string): AutoTier | undefined {
  return autoTiers.find((tier) => tier === name)
}
