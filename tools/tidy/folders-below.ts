import type { SourceFile } from '../lib/source-file.ts'

/** Names of the folders directly in `parent`, which ends with a slash. */
export function foldersBelow(files: readonly SourceFile[], parent: string): string[] {
  const names = files
    .filter(({ path }) => path.startsWith(parent))
    .map(({ path }) => path.slice(parent.length).split('/'))
    .flatMap(([name, ...rest]) => (name !== undefined && rest.length > 0 ? [name] : []))
  return [...new Set(names)].sort()
}
