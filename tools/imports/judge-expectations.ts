import type { Finding } from '../lib/finding.ts'
import { readImportedNames } from '../lib/read-imported-names.ts'
import { readAliases, resolveSpecifier } from '../lib/resolve-specifier.ts'
import { isTypeScript, type SourceFile } from '../lib/source-file.ts'
import { tokensOf } from '../lib/tokens-of.ts'
import { findData } from './find-data.ts'
import { sourceFolder } from './read-modules.ts'

const testFolder = 'server/test/'

/**
 * A test that takes its expectation from the code under test agrees with every mistake in it. So figures, words, tables
 * and schemas are written again by hand; `// Not an expectation: <why>` above an import says that nothing is compared
 * with it.
 */
export function judgeExpectations(files: readonly SourceFile[]): Finding[] {
  const aliases = readAliases(files.find(({ path }) => path === 'server/package.json')?.text ?? '{}', 'server')
  const sources = new Map(files.filter(({ path }) => path.startsWith(sourceFolder)).map((file) => [file.path, file]))
  return files
    .filter(({ path }) => path.startsWith(testFolder) && isTypeScript(path))
    .flatMap((file) => {
      const lines = file.text.split('\n')
      return readImportedNames(tokensOf(file)).flatMap(({ names, specifier, line }) => {
        const source = sources.get(resolveSpecifier(specifier, file.path, aliases) ?? '')
        if (source === undefined || source.path.includes('/fixtures/') || isExplained(lines, line)) return []
        const data = findData(tokensOf(source))
        return names
          .filter((name) => data.has(name))
          .map((name) => ({ rule: 'expectation', path: file.path, line, message: messageFor(name, specifier) }))
      })
    })
}

function messageFor(name: string, specifier: string): string {
  return `${name} of ${specifier} may stand in for an expectation; write it by hand, or say why above: // Not an expectation: …`
}

function isExplained(lines: readonly string[], line: number): boolean {
  for (let above = line - 2; above >= 0; above -= 1) {
    const comment = /^\s*\/\/\s*(.*)$/.exec(lines[above] ?? '')?.[1]
    if (comment === undefined) return false
    if (/^Not an expectation: \S+ \S/.test(comment)) return true
  }
  return false
}
