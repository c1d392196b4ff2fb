import type { Finding } from '../lib/finding.ts'
import { isSource, type SourceFile } from '../lib/source-file.ts'

/** Folders with one file for each thing of a kind, and how many there may be. Above that, two of them are one thing. */
const filesMax = {
  // Commands of one noun share a file: `key create`, `key list` and `key revoke` are in `key.ts`.
  'server/src/bin/commands': 27,
} as const

/** A folder that can be seen at a glance. */
export function judgeFolderSize(files: readonly SourceFile[]): Finding[] {
  return Object.entries(filesMax).flatMap(([path, max]) => {
    const count = files.filter((file) => isSource(file.path) && file.path.startsWith(`${path}/`)).length
    return count <= max ? [] : [{ rule: 'folder-size', path, message: `${count} files, at most ${max}` }]
  })
}
