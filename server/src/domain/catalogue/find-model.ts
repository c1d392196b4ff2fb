import type { Catalogue } from './catalogue.ts'
import type { Model } from './model.ts'

/** Finds the model of a path: by its id, or by the id with `/` replaced by `-`. */
export function findModel(catalogue: Catalogue, pathName: string): Model | undefined {
  const name = pathName.toLowerCase()
  return catalogue.models.get(name) ?? catalogue.models.get(catalogue.slugs.get(name) ?? '')
}
