import { readFileSync } from 'node:fs'

/**
 * How many files this process may have open, sockets among them; null where the system does not say, or sets no limit.
 */
export function readOpenFilesMax(): number | null {
  try {
    return openFilesMaxIn(readFileSync('/proc/self/limits', 'utf8'))
  } catch {
    // Other systems than Linux have no such file.
    return null
  }
}

export function openFilesMaxIn(limits: string): number | null {
  const count = /^Max open files\s+(\d+)/m.exec(limits)?.[1]
  return count === undefined ? null : Number(count)
}
