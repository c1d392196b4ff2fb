import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../lib/repository-root.ts'
import { documents } from './documents.ts'

/** The generated documents that are out of date. */
export function findStaleDocuments(root = repositoryRoot): string[] {
  return documents
    .filter(({ path, write }) => {
      const place = join(root, path)
      return !existsSync(place) || readFileSync(place, 'utf8') !== write()
    })
    .map(({ path }) => path)
}
