import type { Caller } from '#domain/access/caller.ts'
import { mayCallModel } from '#domain/access/judge-model.ts'
import { isChargeable } from '#domain/catalogue/can-charge.ts'
import type { Catalogue } from '#domain/catalogue/catalogue.ts'
import { lifeCycleAt } from '#domain/catalogue/life-cycle.ts'
import type { Model } from '#domain/catalogue/model.ts'
import type { ModelListView } from './model-schema.ts'
import type { ModalityFilter } from './parse-modality-filter.ts'
import { renderModel } from './render-model.ts'

/** The listing as JSON text, of all models or of those that a caller may have. */
export type ListModels = (
  catalogue: Catalogue,
  filter: ModalityFilter,
  nowMs: number,
  mayCall?: ((modelId: string) => boolean) | null,
) => string

/** Clients poll it, so each model's text is made once for a snapshot, a filter and a day. */
export function createModelLister(): ListModels {
  let shown: Catalogue | undefined
  let shownDay = -1
  const listings = new Map<string, Listing>()

  function listingOf(catalogue: Catalogue, filter: ModalityFilter, nowMs: number): Listing {
    const day = Math.floor(nowMs / dayMs)
    if (catalogue !== shown || day !== shownDay) listings.clear()
    shown = catalogue
    shownDay = day
    const key = filter === 'all' ? filter : filter.join(',')
    const known = listings.get(key)
    if (known !== undefined) return known
    // A listing has about two megabytes, and there are 256 filters: beyond a few of them, listings are made for each request.
    if (listings.size >= listingsMax) listings.clear()
    const listing = makeListing(catalogue, filter, nowMs)
    listings.set(key, listing)
    return listing
  }

  return (catalogue, filter, nowMs, mayCall = null) => {
    const { whole, models } = listingOf(catalogue, filter, nowMs)
    return mayCall === null ? whole : listText(models.filter(({ id }) => mayCall(id)))
  }
}

// Models change their state at midnight UTC and at no other time.
const dayMs = 86_400_000
const listingsMax = 16

interface Listing {
  readonly whole: string
  readonly models: readonly ModelText[]
}

interface ModelText {
  readonly id: string
  readonly text: string
}

function makeListing(catalogue: Catalogue, filter: ModalityFilter, nowMs: number): Listing {
  const models = [...catalogue.models.values()]
    .filter((model) => isShown(model, nowMs) && matches(model, filter))
    .map((model) => ({ id: model.id, text: JSON.stringify(renderModel(model, nowMs)) }))
  return { whole: listText(models), models }
}

/** A voice without a price by the character cannot be called, so it is not listed. */
function isShown(model: Model, nowMs: number): boolean {
  if (!model.listed || lifeCycleAt(model, nowMs) === 'retired') return false
  return model.kind !== 'speech' || isChargeable(model)
}

function listText(models: readonly ModelText[]): string {
  const total = models.length
  const empty: ModelListView = { object: 'list', data: [], total_count: total, has_more: false, links: { next: null } }
  return JSON.stringify(empty).replace('"data":[]', () => `"data":[${models.map(({ text }) => text).join(',')}]`)
}

function matches(model: Model, filter: ModalityFilter): boolean {
  return filter === 'all' || model.outputModalities.some((modality) => filter.includes(modality))
}

/** Which models a caller is shown, where an organization allows its keys some alone. Null for a client that may call all of them. */
export function restrictionOf(caller: Caller | null): ((modelId: string) => boolean) | null {
  if (caller?.kind !== 'key' || (caller.principal.organization?.allowedModels.length ?? 0) === 0) return null
  const { principal } = caller
  return (modelId) => mayCallModel(principal, modelId)
}
