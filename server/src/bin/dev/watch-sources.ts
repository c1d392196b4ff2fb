import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs'
import { join } from 'node:path'

const isSource = (name: string): boolean => /\.(?:ts|js|sql|lua)$/.test(name) && !name.endsWith('.test.ts')

/**
 * Calls `onEdit` with each source file in the folders that is written, moved or removed. Each folder has its own
 * watcher, which notices editors that save by renaming; `recursive` misses those on Linux after the first time.
 */
export function watchSources(folders: readonly string[], onEdit: (path: string) => void): { close(): void } {
  const watchers = new Map<string, FSWatcher>()

  function watchFolder(folder: string, isNew: boolean): void {
    if (watchers.has(folder)) return
    const watcher = watch(folder, (_, name) => {
      if (name === null) return
      const path = join(folder, name)
      if (isSource(name)) onEdit(path)
      else if (isFolder(path)) watchFolder(path, true)
    })
    // Deleting a folder closes its watcher.
    watcher.on('error', () => watcher.close())
    watcher.on('close', () => watchers.delete(folder))
    watchers.set(folder, watcher)
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) watchFolder(path, isNew)
      // The file was written after the folder was created and before it was watched.
      else if (isNew && isSource(entry.name)) onEdit(path)
    }
  }

  for (const folder of folders) watchFolder(folder, false)
  return {
    close: () => {
      for (const watcher of watchers.values()) watcher.close()
    },
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
