import type { Finding } from '../lib/finding.ts'
import type { SourceFile } from '../lib/source-file.ts'
import { leftOut, mutatedFolders, sourcesOf } from '../mutate/areas.ts'
import { parseFloors } from '../mutate/floors.ts'

const rule = 'mutated'
const table = 'tools/mutate/floors.tsv'

/**
 * Every source of the mutated folders belongs to an area. `floors.tsv` has a row for each of them and for no other
 * file.
 */
export function judgeMutated(files: readonly SourceFile[]): Finding[] {
  const paths = files.map(({ path }) => path)
  const all = new Set(paths)
  const mutated = new Set(sourcesOf(paths).map(({ path }) => path))
  const floors = parseFloors(files.find(({ path }) => path === table)?.text ?? '')
  const isWanted = (path: string): boolean =>
    mutatedFolders.some((folder) => path.startsWith(folder)) &&
    /(?<!\.test|\.d)\.ts$/.test(path) &&
    (!path.startsWith('console/') || all.has(path.replace('.ts', '.test.ts')))
  return [
    ...paths
      .filter((path) => isWanted(path) && !mutated.has(path) && !leftOut.has(path))
      .map((path) => ({ rule, path, message: 'belongs to no area of tools/mutate/areas.ts' })),
    ...[...mutated]
      .filter((path) => !floors.has(path))
      .map((path) => ({ rule, path, message: `has no row in ${table}; add it, a tab and \`unmeasured\`` })),
    ...[...floors.keys()]
      .filter((path) => !mutated.has(path))
      .map((path) => ({ rule, path: table, message: `has a row for ${path}, which is not mutated` })),
    ...[...leftOut.keys()]
      .filter((path) => !all.has(path))
      .map((path) => ({ rule, path: 'tools/mutate/areas.ts', message: `leaves out ${path}, which does not exist` })),
  ]
}
