import type { Finding } from '../lib/finding.ts'
import { readImports } from '../lib/read-imports.ts'
import { readAliases, resolveSpecifier } from '../lib/resolve-specifier.ts'
import { isSource, isTypeScript, type SourceFile } from '../lib/source-file.ts'
import { tokensOf } from '../lib/tokens-of.ts'

/**
 * Another file imports every source file. A test does not count, since a file that only its test imports is dead. Files
 * in bin are started rather than imported.
 */
export function judgeOrphans(files: readonly SourceFile[]): Finding[] {
  const packageJson = files.find(({ path }) => path === 'server/package.json')?.text ?? '{}'
  const aliases = readAliases(packageJson, 'server')
  const needed = new Set<string>()
  for (const file of files) {
    const { path } = file
    if (!isTypeScript(path)) continue
    for (const { specifier } of readImports(tokensOf(file))) {
      const target = resolveSpecifier(specifier, path, aliases)
      if (target !== undefined && target !== path && target !== testedBy(path)) needed.add(target)
    }
  }
  return files
    .filter(({ path }) => path.startsWith('server/') && isSource(path))
    .filter(({ path }) => !path.startsWith('server/src/bin/') && !needed.has(path))
    .map(({ path }) => ({ rule: 'orphan', path, message: 'no file imports it' }))
}

/** The file that a test beside it tests: `charge.test.ts` and `charge.402.test.ts` both test `charge.ts`. */
function testedBy(path: string): string | undefined {
  const name = /^(.*\/[^/.]+)[^/]*\.test\.ts$/.exec(path)?.[1]
  return name === undefined ? undefined : `${name}.ts`
}
