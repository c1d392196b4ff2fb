import { isTypeScript } from '../lib/source-file.ts'
import { typesCommand } from './types-command.ts'

/** These files configure formatting, linting and tool versions, so a change affects every file. */
const concernAll = new Set([
  'biome.json',
  '.oxlintrc.json',
  '.markdownlint-cli2.jsonc',
  'package.json',
  'package-lock.json',
])

/**
 * The checks of `npm run check`, for the whole tree or for the `changed` files. They modify no file of the repository.
 * Types are always checked in the whole tree, because a change can break files that use it; tsc caches unchanged files.
 */
export function chooseChecks(surroundings: Surroundings, changed?: readonly ChangedPath[]): Check[] {
  const { node, cores, buildInfo } = surroundings
  const isWhole = changed === undefined || changed.some(({ path }) => concernAll.has(path))
  // A deleted file cannot be formatted, but rules may still report it.
  const present = isWhole ? [] : changed.filter(({ exists }) => exists).map(({ path }) => path)
  const formatted = present.filter((path) => /\.(tsx?|json)$/.test(path))
  const linted = present.filter(isTypeScript)
  const documents = present.filter((path) => path.endsWith('.md'))
  const incremental = ['--incremental', '--tsBuildInfoFile', buildInfo]
  return [
    { name: 'format', command: isWhole ? ['biome', 'format', '.'] : formatCommand(formatted) },
    { name: 'lint', command: isWhole ? lint : linted.length === 0 ? null : [...lint, ...linted] },
    { name: 'markdown', command: isWhole ? ['markdownlint-cli2'] : markdownCommand(documents) },
    { name: 'types', command: [...typesCommand(cores), ...incremental] },
    // The console is checked with browser types, the server with Node types.
    { name: 'console', command: ['tsc', '-p', 'console/tsconfig.json'] },
    { name: 'rules', command: [node, 'tools/check/rules.ts', ...(changed ?? []).map(({ path }) => path)] },
    { name: 'api', command: isWhole || changed.some(shapesApi) ? [node, 'tools/api-types/check.ts'] : null },
  ]
}

/** A null command means that there is nothing to check. */
export type Check = { readonly name: string; readonly command: readonly string[] | null }
export type ChangedPath = { readonly path: string; readonly exists: boolean }
type Surroundings = { readonly node: string; readonly cores: number; readonly buildInfo: string }

/** The OpenAPI document is generated from the gateway's code, and the API types from that document. */
function shapesApi({ path }: ChangedPath): boolean {
  return /^(?:server\/src|console\/src\/api)\//.test(path)
}

function markdownCommand(paths: readonly string[]): string[] | null {
  return paths.length === 0 ? null : ['markdownlint-cli2', '--no-globs', ...paths]
}

const lint = ['oxlint', '--deny-warnings']

function formatCommand(paths: readonly string[]): string[] | null {
  // Biome may be configured to ignore some of these files.
  return paths.length === 0 ? null : ['biome', 'format', '--no-errors-on-unmatched', ...paths]
}
