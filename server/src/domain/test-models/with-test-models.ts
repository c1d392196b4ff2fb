import { buildCatalogue, type Catalogue } from '#domain/catalogue/catalogue.ts'
import { rememberLast } from '#lib/remember-last.ts'
import { listedTestModels } from './test-models.ts'

/** Adds the test models to a catalogue if they are enabled; otherwise returns it unchanged. */
export function createWithTestModels(isEnabled: boolean): (catalogue: Catalogue) => Catalogue {
  return isEnabled ? rememberLast(withTestModels) : (catalogue) => catalogue
}

function withTestModels(catalogue: Catalogue): Catalogue {
  return buildCatalogue(catalogue.revision, [...catalogue.models.values(), ...listedTestModels()])
}
