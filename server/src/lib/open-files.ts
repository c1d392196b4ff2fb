import { readFileSync } from 'node:fs'

/** Maximum open files of this process, including sockets. Null if it is unknown or unlimited. */
export function readOpenFilesMax(): number | null {
  try {
    return openFilesMaxIn(readFileSync('/proc/self/limits', 'utf8'))
  } catch {
    // Only Linux has this file.
    return null
  }
}

export function openFilesMaxIn(limits: string): number | null {
  const count = /^Max open files\s+(\d+)/m.exec(limits)?.[1]
  return count === undefined ? null : Number(count)
}
