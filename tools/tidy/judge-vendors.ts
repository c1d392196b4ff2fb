import type { Finding } from '../lib/finding.ts'
import { readImports } from '../lib/read-imports.ts'
import type { SourceFile } from '../lib/source-file.ts'
import { tokensOf } from '../lib/tokens-of.ts'
import { foldersBelow } from './folders-below.ts'

const providersFolder = 'server/src/providers/'
const registryPath = `${providersFolder}registry.ts`

/** A vendor's folder that the registry does not import is never called. */
export function judgeVendors(files: readonly SourceFile[]): Finding[] {
  const registry = files.find(({ path }) => path === registryPath)
  const tokens = registry === undefined ? [] : tokensOf(registry)
  const imported = readImports(tokens).map(({ specifier }) => specifier)
  return foldersBelow(files, providersFolder)
    .filter((vendor) => vendor !== 'protocols' && vendor !== 'codecs')
    .filter((vendor) => !imported.some((specifier) => /^(?:\.|#providers)\/([^/]+)\//.exec(specifier)?.[1] === vendor))
    .map((vendor) => ({ rule: 'vendor', path: providersFolder + vendor, message: `is not in ${registryPath}` }))
}
