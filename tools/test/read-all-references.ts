import { listFiles } from '../lib/list-files.ts'
import { readAliases } from '../lib/resolve-specifier.ts'
import { isTypeScript } from '../lib/source-file.ts'
import { tokenize } from '../lib/tokenize.ts'
import type { References } from './choose-tests.ts'
import { readReferences } from './read-references.ts'

/** The files that each TypeScript file of the repository needs at run time. */
export function readAllReferences(root: string): References {
  const files = listFiles(root)
  const aliases = readAliases(files.find(({ path }) => path === 'server/package.json')?.text ?? '{}', 'server')
  return new Map(
    files
      .filter(({ path }) => isTypeScript(path))
      .map(({ path, text }) => [path, readReferences(tokenize(text), path, aliases)]),
  )
}
