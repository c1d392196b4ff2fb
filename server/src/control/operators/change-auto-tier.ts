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

/** Sets who serves a tier of the auto router, or whether it is served at all. */
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
    throw malformed(`A tier has a primary model and up to ${tierModelsMax - 1} fallbacks; to stop it, disable it.`)
  }
  if (new Set(models).size < models.length) throw malformed('A model is listed twice.')
  for (const id of models) {
    const model = known.get(id)
    if (model === undefined) throw malformed(`There is no model ${id} in the catalogue; ids are in lower case.`)
    if (lifeCycleAt(model, nowMs) === 'retired') throw malformed(`${id} has been retired.`)
    if (!model.outputModalities.includes('text') && !model.outputModalities.includes('image')) {
      throw malformed(`${id} cannot be used for chat.`)
    }
    if (isFreeEntry(model) !== (table === 'free')) {
      throw malformed(
        `The free table has models that end in :free, and the paid one has none; ${id} is in the wrong one.`,
      )
    }
  }
}
