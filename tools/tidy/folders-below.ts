import type { SourceFile } from '../lib/source-file.ts'

/** The names of the folders that stand directly in `parent`, which ends in a slash. */
export function foldersBelow(files: readonly SourceFile[], parent: string): string[] {
  const names = files
    .filter(({ path }) => path.startsWith(parent))
    .map(({ path }) => path.slice(parent.length).split('/'))
    .flatMap(([name, ...rest]) => (name !== undefined && rest.length > 0 ? [name] : []))
  return [...new Set(names)].sort()
}
