import { readImports } from '../lib/read-imports.ts'
import { readAliases, resolveSpecifier } from '../lib/resolve-specifier.ts'
import { isTest, isTypeScript, type SourceFile } from '../lib/source-file.ts'
import { tokensOf } from '../lib/tokens-of.ts'

/** Files that start a gateway, which tests then call over HTTP. */
const starters = ['server/test/setup/gateway.ts', 'server/test/drills/setup/server-process.ts']

/** The test files that call a running gateway, because one of their helpers starts one. */
export function findBlackBoxTests(files: readonly SourceFile[]): ReadonlySet<string> {
  const aliases = readAliases(files.find(({ path }) => path === 'server/package.json')?.text ?? '{}', 'server')
  const importersOf = new Map<string, string[]>()
  for (const file of files) {
    if (!file.path.startsWith('server/test/') || !isTypeScript(file.path)) continue
    for (const { specifier, isTypeOnly } of readImports(tokensOf(file))) {
      const target = isTypeOnly ? undefined : resolveSpecifier(specifier, file.path, aliases)
      if (target !== undefined) importersOf.set(target, [...(importersOf.get(target) ?? []), file.path])
    }
  }
  const reached = new Set(starters)
  for (const path of reached) for (const importer of importersOf.get(path) ?? []) reached.add(importer)
  return new Set([...reached].filter(isTest))
}
