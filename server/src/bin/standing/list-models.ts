import { isChargeable } from '#domain/catalogue/can-charge.ts'
import { lacksCachePrice } from '#domain/catalogue/lacks-cache-price.ts'
import type { Model } from '#domain/catalogue/model.ts'
import { createFindServed } from '#domain/routing/served-models.ts'
import { canServe } from '#providers/codecs/can-serve.ts'
import { keepsPrompts } from '#providers/registry.ts'
import { createCatalogueStore } from '#store/postgres/catalogue/catalogue-store.ts'
import { loadRouting } from '#store/postgres/operators/routes.sql.ts'
import { sealingKeyOf } from '../sealing-key.ts'
import type { StandingDeps } from './read-status.ts'

export interface ListedModel extends Pick<Model, 'id' | 'kind'> {
  /** Whether a request to the model can be charged. */
  readonly isPriced: boolean
  /** Whether some provider's price for the model lacks `cache_read`. */
  readonly isIncomplete: boolean
  /** Whether an enabled account and route serve the model. */
  readonly isServed: boolean
}

/** All models of the catalogue, with their availability to clients. */
export async function listModels({ pool, config }: Pick<StandingDeps, 'pool' | 'config'>): Promise<ListedModel[]> {
  const catalogue = await createCatalogueStore(pool).load()
  const deps = { sealingKey: sealingKeyOf(config), vendorKeepsPrompts: keepsPrompts }
  const served = createFindServed(canServe)(catalogue, await loadRouting(pool, deps))
  return [...catalogue.models.values()].map((model) => ({
    id: model.id,
    kind: model.kind,
    isPriced: isChargeable(model),
    isIncomplete: model.offers.some(({ price }) => price !== null && lacksCachePrice(model.kind, price.base)),
    isServed: served.has(model.id),
  }))
}
