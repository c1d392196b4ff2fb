import { type Import, readImports } from '../lib/read-imports.ts'
import { type Aliases, readAliases, resolveSpecifier } from '../lib/resolve-specifier.ts'
import { isTest, isTypeScript, type SourceFile } from '../lib/source-file.ts'
import type { Token } from '../lib/tokenize.ts'
import { tokensOf } from '../lib/tokens-of.ts'
import { placeOf, type Tree } from './layers.ts'

export const sourceFolder = 'server/src/'

/** Reads every TypeScript file of the trees, tests included. */
export function readModules(files: readonly SourceFile[]): Module[] {
  const aliases = readAliases(files.find(({ path }) => path === 'server/package.json')?.text ?? '{}', 'server')
  const paths = new Set(files.map(({ path }) => path))
  return files.flatMap((file) => {
    const place = isTypeScript(file.path) ? placeOf(file.path) : undefined
    if (place === undefined) return []
    // Only the server's package declares aliases.
    const known = file.path.startsWith('server/') ? aliases : new Map()
    return [{ ...place, ...readModule(file, paths, known) }]
  })
}

export type Module = {
  readonly path: string
  readonly tree: Tree
  /** The first folder below the tree's root, or empty for a file beside the folders. */
  readonly folder: string
  readonly isTest: boolean
  readonly tokens: readonly Token[]
  readonly imports: readonly ResolvedImport[]
}

/** `target` is a path from the repository's root; a package has none. */
type ResolvedImport = Import & { readonly target?: string; readonly exists: boolean }

function readModule(file: SourceFile, paths: ReadonlySet<string>, aliases: Aliases): Omit<Module, 'tree' | 'folder'> {
  const { path } = file
  const tokens = tokensOf(file)
  const imports = readImports(tokens).map((found) => {
    const target = resolveSpecifier(found.specifier, path, aliases)
    return target === undefined ? { ...found, exists: true } : { ...found, target, exists: paths.has(target) }
  })
  return { path, isTest: isTest(path), tokens, imports }
}
