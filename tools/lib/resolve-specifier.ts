import { posix } from 'node:path'
import { isRecord } from './is-record.ts'

/** The path that a specifier leads to, from the repository's root, or undefined for a package. */
export function resolveSpecifier(specifier: string, importer: string, aliases: Aliases): string | undefined {
  if (/^\.\.?(\/|$)/.test(specifier)) return posix.normalize(posix.join(posix.dirname(importer), specifier))
  if (!specifier.startsWith('#')) return undefined
  for (const [prefix, folder] of aliases) {
    if (specifier.startsWith(prefix)) return posix.normalize(folder + specifier.slice(prefix.length))
  }
  // An undeclared alias resolves to itself, which is not a file, so it is reported as missing.
  return specifier
}

/** From an alias's prefix (`#lib/`) to its folder (`server/src/lib/`). */
export type Aliases = ReadonlyMap<string, string>

/** Reads the `imports` of the package.json in `folder`. */
export function readAliases(packageJson: string, folder: string): Aliases {
  const parsed: unknown = JSON.parse(packageJson)
  const imports = isRecord(parsed) && isRecord(parsed.imports) ? parsed.imports : {}
  return new Map(
    Object.entries(imports).flatMap(([pattern, target]) => {
      const isPattern = typeof target === 'string' && pattern.endsWith('/*') && target.endsWith('/*')
      return isPattern ? [[pattern.slice(0, -1), `${posix.join(folder, target.slice(0, -2))}/`]] : []
    }),
  )
}
