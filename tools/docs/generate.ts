import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../lib/repository-root.ts'
import { documents } from './documents.ts'
import { findStaleDocuments } from './find-stale-documents.ts'

// `npm run docs` writes the generated documents; `-- --check` only lists those that would change.
if (process.argv.includes('--check')) {
  const stale = findStaleDocuments()
  for (const path of stale) console.error(`${path} is not what its source says; run: npm run docs`)
  process.exitCode = stale.length === 0 ? 0 : 1
} else {
  for (const { path, write } of documents) writeFileSync(join(repositoryRoot, path), write())
}
