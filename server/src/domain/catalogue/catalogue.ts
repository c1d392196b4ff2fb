import type { Model } from './model.ts'

/** All models as one immutable value. Processes replace all of it when its revision changes. */
export interface Catalogue {
  /** Negative before the catalogue was loaded: no model is known then. */
  readonly revision: number
  readonly models: ReadonlyMap<string, Model>
  /** Maps the id with `/` replaced by `-` to the id. */
  readonly slugs: ReadonlyMap<string, string>
}

export const emptyCatalogue: Catalogue = { revision: -1, models: new Map(), slugs: new Map() }

export function buildCatalogue(revision: number, models: readonly Model[]): Catalogue {
  return {
    revision,
    models: new Map(models.map((model) => [model.id, model])),
    slugs: new Map(models.map((model) => [slugOf(model.id), model.id])),
  }
}

export function slugOf(id: string): string {
  return id.replaceAll('/', '-')
}
