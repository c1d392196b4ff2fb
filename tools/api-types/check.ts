import { existsSync, readFileSync } from 'node:fs'
import { readDocument } from './read-document.ts'
import { isMadeOf, typesFile, typesPath } from './types-file.ts'

// `npm run check` checks whether the committed types match the OpenAPI document. It needs no package of this folder.
const types = existsSync(typesFile) ? readFileSync(typesFile, 'utf8') : ''
if (!isMadeOf(await readDocument(), types)) {
  console.error(`${typesPath} is not what the OpenAPI document says; run: npm run api-types`)
  process.exitCode = 1
}
