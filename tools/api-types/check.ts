import { existsSync, readFileSync } from 'node:fs'
import { readDocument } from './read-document.ts'
import { isMadeOf, typesFile, typesPath } from './types-file.ts'

// `npm run check` asks whether the committed types are those of the OpenAPI document. It needs nothing of this folder's
// packages.
const types = existsSync(typesFile) ? readFileSync(typesFile, 'utf8') : ''
if (!isMadeOf(await readDocument(), types)) {
  console.error(`${typesPath} is not what the OpenAPI document says; run: npm run api-types`)
  process.exitCode = 1
}
