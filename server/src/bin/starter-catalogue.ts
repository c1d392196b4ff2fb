import { join } from 'node:path'
import { type ReadCatalogue, readCatalogueText } from '#control/catalogue/read-catalogue-text.ts'
import { readTextFile } from './read-text-file.ts'

/** What the command line calls the catalogue that this program ships. */
export const starterName = 'starter'

const starterFile = join(import.meta.dirname, '../../catalogue/starter.json')

export function readStarterCatalogue(): ReadCatalogue {
  return readCatalogueText(readTextFile(starterFile, { what: 'The starter catalogue' }))
}
