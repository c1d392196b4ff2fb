import { changedValues } from '#domain/audit/changed-values.ts'
import type { Catalogue } from '#domain/catalogue/catalogue.ts'
import { lifeCycleAt } from '#domain/catalogue/life-cycle.ts'
import { isFreeEntry } from '#domain/catalogue/model.ts'
import { type TierModels, tierModelsMax, type TierRow } from '#domain/routing/auto/auto-tables.ts'
import type { AutoTable } from '#domain/routing/auto/tiers.ts'
import { malformed } from '#errors/malformed.ts'
import type { ChangeAuthor } from '#ports/keys.ts'
import type { AutoTierStore } from '#ports/operators.ts'
import { platformEntry } from './platform-entry.ts'

/** Sets the models of an auto router tier, or enables or disables it. */
export async function changeAutoTier(
  { store, catalogue }: { store: AutoTierStore; catalogue: () => Promise<Catalogue> },
  { table, tier, ...change }: Pick<TierRow, 'table' | 'tier'> & Partial<TierModels>,
  author: ChangeAuthor,
): Promise<TierRow> {
  if (change.models !== undefined) assertModels(table, change.models, await catalogue(), author.nowMs)
  return store.change({ table, tier }, change, (before, after) => {
    const changed = changedValues(describeTier(before), describeTier(after))
    const target = { kind: 'auto_tier', id: `${table}/${tier}` }
    return changed === null ? null : platformEntry(author, { action: 'auto.tier.update', target, ...changed })
  })
}

function describeTier({ enabled, models }: TierModels) {
  return { enabled, models: [...models] }
}

function assertModels(table: AutoTable, models: readonly string[], { models: known }: Catalogue, nowMs: number): void {
  if (models.length === 0 || models.length > tierModelsMax) {
    throw malformed(
      `A tier needs a primary model and can have up to ${tierModelsMax - 1} fallbacks. To stop serving it, disable it.`,
    )
  }
  if (new Set(models).size < models.length) throw malformed('Each model can be listed only once.')
  for (const id of models) {
    const model = known.get(id)
    if (model === undefined) throw malformed(`Model ${id} is not in the catalogue. Model ids are lowercase.`)
    if (lifeCycleAt(model, nowMs) === 'retired') throw malformed(`${id} has been retired.`)
    if (!model.outputModalities.includes('text') && !model.outputModalities.includes('image')) {
      throw malformed(`${id} does not support chat.`)
    }
    if (isFreeEntry(model) !== (table === 'free')) {
      throw malformed(
        `${id} is in the wrong table: models ending in :free belong in the free table, all others in the paid table.`,
      )
    }
  }
}
