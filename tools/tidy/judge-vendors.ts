import type { Finding } from '../lib/finding.ts'
import { readImports } from '../lib/read-imports.ts'
import type { SourceFile } from '../lib/source-file.ts'
import { tokensOf } from '../lib/tokens-of.ts'
import { foldersBelow } from './folders-below.ts'

const providersFolder = 'server/src/providers/'
const registryPath = `${providersFolder}registry.ts`
const vendorsFolder = `${providersFolder}vendors/`
const protocolsFolder = `${providersFolder}protocols/`

/** Every vendor is registered, and code specific to a vendor is in its folder. */
export function judgeVendors(files: readonly SourceFile[]): Finding[] {
  return [...unregistered(files), ...factsElsewhere(files)]
}

/** A vendor folder that the registry does not import is never used. */
function unregistered(files: readonly SourceFile[]): Finding[] {
  const registry = files.find(({ path }) => path === registryPath)
  const tokens = registry === undefined ? [] : tokensOf(registry)
  const imported = readImports(tokens).map(({ specifier }) => specifier)
  return foldersBelow(files, vendorsFolder)
    .filter((vendor) => !imported.some((specifier) => specifier.endsWith(`/vendors/${vendor}/index.ts`)))
    .map((vendor) => ({ rule: 'vendor', path: vendorsFolder + vendor, message: `is not in ${registryPath}` }))
}

const serving = /^server\/src\/(?:providers|pipeline|jobs|bin)\//

/** A vendor's slug in shared code is a special case that belongs in the vendor's spec. */
function factsElsewhere(files: readonly SourceFile[]): Finding[] {
  const slugs = new Set(files.filter(({ path }) => path.startsWith(vendorsFolder)).flatMap(slugsIn))
  // Protocols are named after their inventors and are allowed.
  for (const protocol of foldersBelow(files, protocolsFolder)) slugs.delete(protocol)
  return files
    .filter(({ path }) => serving.test(path) && !path.startsWith(vendorsFolder) && path !== registryPath)
    .filter(({ path }) => !path.endsWith('.test.ts') && !path.includes('/fixtures/'))
    .flatMap((file) =>
      tokensOf(file)
        .filter(({ kind, text }) => kind === 'string' && slugs.has(text))
        .map(({ text, line }) => ({
          rule: 'vendor',
          path: file.path,
          line,
          message: `names the vendor ${text}: say what is peculiar to it in ${vendorsFolder}`,
        })),
    )
}

function slugsIn(file: SourceFile): string[] {
  const tokens = tokensOf(file)
  return tokens.flatMap(({ kind, text }, at) => {
    const slug = tokens[at + 2]
    const isSlug = kind === 'word' && text === 'slug' && slug?.kind === 'string'
    return isSlug ? [slug.text] : []
  })
}
