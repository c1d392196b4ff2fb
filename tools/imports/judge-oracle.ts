import type { Finding } from '../lib/finding.ts'
import { readImports } from '../lib/read-imports.ts'
import { readAliases, resolveSpecifier } from '../lib/resolve-specifier.ts'
import { isTypeScript, type SourceFile } from '../lib/source-file.ts'
import { tokensOf } from '../lib/tokens-of.ts'
import { sourceFolder } from './read-modules.ts'

const oracleFolder = 'server/test/oracle/'

/** The oracle states by hand what the contract promises. A table copied from the code would repeat its mistakes. */
export function judgeOracle(files: readonly SourceFile[]): Finding[] {
  const aliases = readAliases(files.find(({ path }) => path === 'server/package.json')?.text ?? '{}', 'server')
  return files
    .filter(({ path }) => path.startsWith(oracleFolder) && isTypeScript(path))
    .flatMap((file) =>
      readImports(tokensOf(file)).flatMap(({ specifier, line }) => {
        if (resolveSpecifier(specifier, file.path, aliases)?.startsWith(sourceFolder) !== true) return []
        const message = `the oracle takes nothing from the code it judges, not even a type: ${specifier}`
        return [{ rule: 'oracle', path: file.path, line, message }]
      }),
    )
}
