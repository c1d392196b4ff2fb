import type { Model } from './model.ts'

/** Everything that can be called, as one immutable value. Processes swap the whole of it when a revision arrives. */
export interface Catalogue {
  /** Negative before the catalogue was ever loaded: then nothing is known of any model. */
  readonly revision: number
  readonly models: ReadonlyMap<string, Model>
  /** The id with `/` written as `-`, to the id. */
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
