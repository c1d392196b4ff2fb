import { isTypeScript } from '../lib/source-file.ts'
import { typesCommand } from './types-command.ts'

/** What a file says about formatting, linting and the versions of the tools concerns every file. */
const concernAll = new Set([
  'biome.json',
  '.oxlintrc.json',
  '.markdownlint-cli2.jsonc',
  'package.json',
  'package-lock.json',
])

/**
 * What `npm run check` asks of the tree, or of the `changed` files of it; nothing here changes a file of the
 * repository. Types are always judged in the whole tree, because a change shows in files that use it; tsc remembers
 * what it knows of unchanged files.
 */
export function chooseChecks(surroundings: Surroundings, changed?: readonly ChangedPath[]): Check[] {
  const { node, cores, buildInfo } = surroundings
  const isWhole = changed === undefined || changed.some(({ path }) => concernAll.has(path))
  // A deleted file has nothing to be formatted, but rules may ask about it.
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
    // The console has the types of a browser, and the server those of Node.
    { name: 'console', command: ['tsc', '-p', 'console/tsconfig.json'] },
    { name: 'rules', command: [node, 'tools/check/rules.ts', ...(changed ?? []).map(({ path }) => path)] },
    { name: 'api', command: isWhole || changed.some(shapesApi) ? [node, 'tools/api-types/check.ts'] : null },
  ]
}

/** Without a command there is nothing to check. */
export type Check = { readonly name: string; readonly command: readonly string[] | null }
export type ChangedPath = { readonly path: string; readonly exists: boolean }
type Surroundings = { readonly node: string; readonly cores: number; readonly buildInfo: string }

/** The OpenAPI document is made of the gateway's code, and the types of the API are made of that. */
function shapesApi({ path }: ChangedPath): boolean {
  return /^(?:server\/src|console\/src\/api)\//.test(path)
}

function markdownCommand(paths: readonly string[]): string[] | null {
  return paths.length === 0 ? null : ['markdownlint-cli2', '--no-globs', ...paths]
}

const lint = ['oxlint', '--deny-warnings']

function formatCommand(paths: readonly string[]): string[] | null {
  // Some of these may be files that biome is told to leave alone.
  return paths.length === 0 ? null : ['biome', 'format', '--no-errors-on-unmatched', ...paths]
}
