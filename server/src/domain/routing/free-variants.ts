import { buildCatalogue, type Catalogue } from '#domain/catalogue/catalogue.ts'
import { isFreeEntry, type Model } from '#domain/catalogue/model.ts'
import { parseUnitPrices } from '#domain/money/price-list.ts'
import { rememberLast } from '#lib/remember-last.ts'
import type { FreeModels } from './free-models.ts'

const suffix = ':free'

/**
 * The catalogue as listings show it: a model with a free quota has an entry for its free variant if the catalogue has
 * none.
 */
export function createFreeVariants(): (catalogue: Catalogue, freeModels: FreeModels) => Catalogue {
  return rememberLast(withFreeVariants)
}

function withFreeVariants(catalogue: Catalogue, { byModel }: FreeModels): Catalogue {
  const models = [...catalogue.models.values()].flatMap((model) => {
    const hasVariant = isFreeEntry(model) || catalogue.models.has(model.id + suffix)
    return byModel.get(model.id)?.enabled === true && !hasVariant ? [model, freeVariantOf(model)] : [model]
  })
  return buildCatalogue(catalogue.revision, models)
}

function freeVariantOf(model: Model): Model {
  const id = model.id + suffix
  const price = { id, base: parseUnitPrices({ prompt: '0', completion: '0' }), tiers: [] }
  const offers = model.offers.map((offer) => ({ ...offer, price }))
  return { ...model, id, name: `${model.name} (free)`, aliases: [], price, offers }
}

/** The id that access checks use for an entry: a variant that exists only in listings counts as the model itself. */
export function calledId(catalogue: Catalogue, shownId: string): string {
  return catalogue.models.has(shownId) || !shownId.endsWith(suffix) ? shownId : shownId.slice(0, -suffix.length)
}

/** Requests for a free variant are never charged. */
export function asksForFree(modelName: string): boolean {
  return modelName.toLowerCase().endsWith(suffix)
}
