import { type ReadCatalogue, readCatalogueText } from '#control/catalogue/read-catalogue-text.ts'
import { programFiles } from './program-files.ts'
import { readTextFile } from './read-text-file.ts'

/** The command line's name for the catalogue that this program ships. */
export const starterName = 'starter'

export function readStarterCatalogue(): ReadCatalogue {
  return readCatalogueText(readTextFile(programFiles.starterCatalogue, { what: 'The starter catalogue' }))
}
