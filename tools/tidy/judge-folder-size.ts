import type { Finding } from '../lib/finding.ts'
import { isSource, type SourceFile } from '../lib/source-file.ts'

/** Folders with one file per item, and the maximum number of files. */
const filesMax = {
  // Commands of one noun share a file: `key create`, `key list` and `key revoke` are in `key.ts`.
  'server/src/bin/commands': 36,
} as const

/** A folder stays small enough to be seen at a glance. */
export function judgeFolderSize(files: readonly SourceFile[]): Finding[] {
  return Object.entries(filesMax).flatMap(([path, max]) => {
    const count = files.filter((file) => isSource(file.path) && file.path.startsWith(`${path}/`)).length
    return count <= max ? [] : [{ rule: 'folder-size', path, message: `${count} files, at most ${max}` }]
  })
}
