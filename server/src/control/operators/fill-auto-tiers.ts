import type { Model } from '#domain/catalogue/model.ts'
import type { TierRow } from '#domain/routing/auto/auto-tables.ts'
import { chooseDefaults } from '#domain/routing/auto/choose-defaults.ts'
import type { CatalogueStore } from '#ports/catalogue.ts'
import type { ChangeAuthor } from '#ports/keys.ts'
import type { AutoTierStore, Operators } from '#ports/operators.ts'
import { changeAutoTier } from './change-auto-tier.ts'

interface FillDeps {
  readonly store: AutoTierStore
  readonly catalogue: Pick<CatalogueStore, 'load'>
  readonly operators: Pick<Operators, 'listAccounts' | 'listRoutes'>
}

/**
 * Fills empty tiers with models chosen by a rule from those that the provider accounts serve. Returns the filled tiers.
 */
export async function fillAutoTiers(
  { store, catalogue, operators }: FillDeps,
  { replace }: { replace: boolean },
  author: ChangeAuthor,
): Promise<TierRow[]> {
  const [loaded, isServed, rows] = await Promise.all([catalogue.load(), servedBy(operators), store.list()])
  const models = [...loaded.models.values()].filter(isServed)
  const filled: TierRow[] = []
  for (const row of rows) {
    if (row.models.length > 0 && !replace) continue
    const { table, tier } = row
    const defaults = chooseDefaults({ table, tier }, models, author.nowMs)
    if (defaults.length === 0) continue
    const deps = { store, catalogue: async () => loaded }
    filled.push(await changeAutoTier(deps, { table, tier, models: defaults }, author))
  }
  return filled
}

/** Whether some account serves a model; before any account exists, every model counts. */
async function servedBy({ listAccounts, listRoutes }: FillDeps['operators']): Promise<(model: Model) => boolean> {
  const [accounts, routes] = await Promise.all([listAccounts(), listRoutes()])
  const vendors = new Set(accounts.filter(({ enabled }) => enabled).map(({ vendor }) => vendor))
  if (vendors.size === 0) return () => true
  const patterns = new Set(routes.filter(({ accountEnabled }) => accountEnabled).map(({ pattern }) => pattern))
  return ({ id, author, defaultProvider, offers }) =>
    patterns.has('*') ||
    patterns.has(`${author}/*`) ||
    patterns.has(id) ||
    (defaultProvider !== null && vendors.has(defaultProvider)) ||
    offers.some(({ provider }) => vendors.has(provider))
}
