import { buildCatalogue, type Catalogue } from '#domain/catalogue/catalogue.ts'
import { rememberLast } from '#lib/remember-last.ts'
import { listedTestModels } from './test-models.ts'

/**
 * Gives a catalogue with the test models behind it, where they can be called; the catalogue as it is where they cannot.
 */
export function createWithTestModels(isEnabled: boolean): (catalogue: Catalogue) => Catalogue {
  return isEnabled ? rememberLast(withTestModels) : (catalogue) => catalogue
}

function withTestModels(catalogue: Catalogue): Catalogue {
  return buildCatalogue(catalogue.revision, [...catalogue.models.values(), ...listedTestModels()])
}
