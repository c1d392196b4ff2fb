import type { Catalogue } from '#domain/catalogue/catalogue.ts'
import { lifeCycleAt } from '#domain/catalogue/life-cycle.ts'
import type { Model } from '#domain/catalogue/model.ts'
import { testModel } from '#domain/test-models/test-models.ts'

const modelsMax = 5

/**
 * The models that can edit images for a client that names no model, if the catalogue lacks the operator's choice: the
 * first editing model by id, or the test model if there is no other.
 */
export function defaultEditModels(
  catalogue: Catalogue,
  { nowMs, testModels }: { readonly nowMs: number; readonly testModels: boolean },
): readonly Model[] {
  const editing = [...catalogue.models.values()]
    .filter((model) => isEditing(model) && lifeCycleAt(model, nowMs) !== 'retired')
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .slice(0, modelsMax)
  if (editing.length > 0) return editing
  const test = testModels ? testModel('test/image') : undefined
  return test === undefined ? [] : [test]
}

function isEditing({ kind, inputModalities, listed, price }: Model): boolean {
  return kind === 'image' && inputModalities.includes('image') && listed && price !== null
}
