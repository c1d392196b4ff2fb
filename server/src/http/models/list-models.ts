import type { Client } from '#domain/access/client.ts'
import { mayCallModel } from '#domain/access/judge-model.ts'
import { isChargeable } from '#domain/catalogue/can-charge.ts'
import type { Catalogue } from '#domain/catalogue/catalogue.ts'
import { lifeCycleAt } from '#domain/catalogue/life-cycle.ts'
import type { Model } from '#domain/catalogue/model.ts'
import type { ModelListView } from './model-schema.ts'
import type { ModalityFilter } from './parse-modality-filter.ts'
import { renderModel } from './render-model.ts'

/** The listing as JSON text: all models, or those that a client requests and may use. */
type ListModels = (catalogue: Catalogue, asked: AskedModels, nowMs: number) => string

/** The models that a client can call. */
export interface Availability {
  readonly isAvailable: (model: Model) => boolean
  /**
   * The models that are served to every client, on which the listing depends besides the catalogue; null for a client
   * with own provider keys.
   */
  readonly servedToAll: ReadonlySet<string> | null
}

export interface AskedModels extends Availability {
  readonly modalities: ModalityFilter
  /** Null means both available and unavailable models. */
  readonly available: boolean | null
  /** Null means that the client may use all of them. */
  readonly mayCall: ((modelId: string) => boolean) | null
}

/**
 * Clients poll the listing, so its text is cached per snapshot, filter and day, except for clients with their own
 * terms.
 */
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
    // A listing has about two megabytes, and there are 256 filters: beyond a few of them, listings are created per
    // request.
    if (listings.size >= listingsMax) listings.clear()
    const listing: Listing = { models: makeListing(catalogue, filter, nowMs), whole: null }
    listings.set(key, listing)
    return listing
  }

  return (catalogue, asked, nowMs) => {
    const listing = listingOf(catalogue, asked.modalities, nowMs)
    const { servedToAll: served, available, mayCall } = asked
    if (served === null || mayCall !== null) return textFor(listing.models, asked)
    if (listing.whole?.served !== served || listing.whole.available !== available) {
      listing.whole = { served, available, text: textFor(listing.models, asked) }
    }
    return listing.whole.text
  }
}

// Models change their state only at midnight UTC.
const dayMs = 86_400_000
const listingsMax = 16

interface Listing {
  readonly models: readonly ModelText[]
  /** The last text for clients without their own terms. */
  whole: { readonly served: ReadonlySet<string>; readonly available: boolean | null; readonly text: string } | null
}

interface ModelText {
  readonly model: Model
  /** Everything but the availability, which comes last and differs by client. */
  readonly start: string
}

function makeListing(catalogue: Catalogue, filter: ModalityFilter, nowMs: number): readonly ModelText[] {
  return [...catalogue.models.values()]
    .filter((model) => isShown(model, nowMs) && matches(model, filter))
    .map((model) => ({ model, start: JSON.stringify(renderModel(model, nowMs, false)).slice(0, -'false}'.length) }))
}

/** A voice without a price per character cannot be called, so it is not listed. */
function isShown(model: Model, nowMs: number): boolean {
  if (!model.listed || lifeCycleAt(model, nowMs) === 'retired') return false
  return model.kind !== 'speech' || isChargeable(model)
}

function textFor(models: readonly ModelText[], { available, isAvailable, mayCall }: AskedModels): string {
  const texts: string[] = []
  for (const { model, start } of models) {
    if (mayCall?.(model.id) === false) continue
    const isCalled = isAvailable(model)
    if (available === null || available === isCalled) texts.push(`${start}${isCalled}}`)
  }
  return listText(texts)
}

function listText(texts: readonly string[]): string {
  const empty: ModelListView = {
    object: 'list',
    data: [],
    total_count: texts.length,
    has_more: false,
    links: { next: null },
  }
  return JSON.stringify(empty).replace('"data":[]', () => `"data":[${texts.join(',')}]`)
}

function matches(model: Model, filter: ModalityFilter): boolean {
  return filter === 'all' || model.outputModalities.some((modality) => filter.includes(modality))
}

/**
 * The models that an organization's keys or a customer token may call. Null for a client that may call all models.
 */
export function restrictionOf(client: Client | null): ((modelId: string) => boolean) | null {
  if (client?.kind !== 'key') return null
  const { principal } = client
  const { organization, customerToken } = principal
  if ((organization?.allowedModels.length ?? 0) === 0 && (customerToken?.allowedModels ?? null) === null) return null
  return (modelId) => mayCallModel(principal, modelId)
}
