import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Import, readImports } from '../lib/read-imports.ts'
import { type Aliases, readAliases, resolveSpecifier } from '../lib/resolve-specifier.ts'
import { isTest, isTypeScript } from '../lib/source-file.ts'
import { type Token, tokenize } from '../lib/tokenize.ts'

export const sourceFolder = 'server/src/'

/** Reads every TypeScript file below server/src of the repository at `root`, tests included. */
export function readModules(root: string): Module[] {
  const aliases = readAliases(readFileSync(join(root, 'server/package.json'), 'utf8'), 'server')
  if (!existsSync(join(root, sourceFolder))) return []
  return readdirSync(join(root, sourceFolder), { recursive: true, encoding: 'utf8' })
    .filter(isTypeScript)
    .sort()
    .map((name) => readModule(root, sourceFolder + name.replaceAll('\\', '/'), aliases))
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

function readModule(root: string, path: string, aliases: Aliases): Module {
  const tokens = tokenize(readFileSync(join(root, path), 'utf8'))
  const imports = readImports(tokens).map((found) => {
    const target = resolveSpecifier(found.specifier, path, aliases)
    return target === undefined
      ? { ...found, exists: true }
      : { ...found, target, exists: existsSync(join(root, target)) }
  })
  return { path, folder: folderOf(path) ?? '', isTest: isTest(path), tokens, imports }
}

/** The first folder of a path below src, `''` for a file in src itself, undefined for a path outside src. */
export function folderOf(path: string): string | undefined {
  if (!path.startsWith(sourceFolder)) return undefined
  const names = path.slice(sourceFolder.length).split('/')
  return names.length > 1 ? names[0] : ''
}
