import { type Import, readImports } from '../lib/read-imports.ts'
import { type Aliases, readAliases, resolveSpecifier } from '../lib/resolve-specifier.ts'
import { isTest, isTypeScript, type SourceFile } from '../lib/source-file.ts'
import type { Token } from '../lib/tokenize.ts'
import { tokensOf } from '../lib/tokens-of.ts'

export const sourceFolder = 'server/src/'

/** Reads every TypeScript file below server/src, tests included. */
export function readModules(files: readonly SourceFile[]): Module[] {
  const aliases = readAliases(files.find(({ path }) => path === 'server/package.json')?.text ?? '{}', 'server')
  const paths = new Set(files.map(({ path }) => path))
  return files
    .filter(({ path }) => path.startsWith(sourceFolder) && isTypeScript(path))
    .map((file) => readModule(file, paths, aliases))
}

export type Module = {
  readonly path: string
  /** The first folder below src; empty for a file that stands in src itself. */
  readonly folder: string
  readonly isTest: boolean
  readonly tokens: readonly Token[]
  readonly imports: readonly ResolvedImport[]
}

/** `target` is a path from the repository's root; a package has none. */
export type ResolvedImport = Import & { readonly target?: string; readonly exists: boolean }

function readModule(file: SourceFile, paths: ReadonlySet<string>, aliases: Aliases): Module {
  const { path } = file
  const tokens = tokensOf(file)
  const imports = readImports(tokens).map((found) => {
    const target = resolveSpecifier(found.specifier, path, aliases)
    return target === undefined ? { ...found, exists: true } : { ...found, target, exists: paths.has(target) }
  })
  return { path, folder: folderOf(path) ?? '', isTest: isTest(path), tokens, imports }
}

/** The first folder of a path below src, `''` for a file in src itself, undefined for a path outside src. */
export function folderOf(path: string): string | undefined {
  if (!path.startsWith(sourceFolder)) return undefined
  const names = path.slice(sourceFolder.length).split('/')
  return names.length > 1 ? names[0] : ''
}
