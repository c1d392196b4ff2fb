import type { Catalogue } from '#domain/catalogue/catalogue.ts'
import { lifeCycleAt } from '#domain/catalogue/life-cycle.ts'
import type { Model } from '#domain/catalogue/model.ts'
import type { ModelListView } from './model-schema.ts'
import type { ModalityFilter } from './parse-modality-filter.ts'
import { renderModel } from './render-model.ts'

/** The listing as JSON text. Clients poll it, so each text is made once for a snapshot, a filter and a day. */
export function createModelLister(): (catalogue: Catalogue, filter: ModalityFilter, nowMs: number) => string {
  let shown: Catalogue | undefined
  let shownDay = -1
  const texts = new Map<string, string>()

  return (catalogue, filter, nowMs) => {
    const day = Math.floor(nowMs / dayMs)
    if (catalogue !== shown || day !== shownDay) texts.clear()
    shown = catalogue
    shownDay = day
    const key = filter === 'all' ? filter : filter.join(',')
    const known = texts.get(key)
    if (known !== undefined) return known
    // A text has about a megabyte, and there are 256 filters: whoever asks for many of them gets them made anew.
    if (texts.size >= textsMax) texts.clear()
    const text = JSON.stringify(renderList(catalogue, filter, nowMs))
    texts.set(key, text)
    return text
  }
}

// Models change their state at midnight UTC and at no other time.
const dayMs = 86_400_000
const textsMax = 16

function renderList(catalogue: Catalogue, filter: ModalityFilter, nowMs: number): ModelListView {
  const data = [...catalogue.models.values()]
    .filter((model) => model.listed && matches(model, filter) && lifeCycleAt(model, nowMs) !== 'retired')
    .map((model) => renderModel(model, nowMs))
  return { object: 'list', data, total_count: data.length, has_more: false, links: { next: null } }
}

function matches(model: Model, filter: ModalityFilter): boolean {
  return filter === 'all' || model.outputModalities.some((modality) => filter.includes(modality))
}
