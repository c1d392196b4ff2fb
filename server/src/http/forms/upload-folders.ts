import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Temporary storage of form files: one folder per request. */
export interface UploadFolders {
  /** Creates the root folder, and deletes leftovers of killed processes. */
  prepare(nowMs: number): Promise<void>
  make(): Promise<string>
  remove(folder: string): Promise<void>
}

const prefix = 'form-'
// Gateways of one machine share the root folder, and no request lives for an hour.
const leftoverAgeMs = 3_600_000

export function createUploadFolders(place: string): UploadFolders {
  return {
    prepare: async (nowMs) => {
      await mkdir(place, { recursive: true, mode: 0o700 })
      for (const name of await readdir(place)) {
        if (!name.startsWith(prefix)) continue
        const folder = join(place, name)
        // Another process may be deleting the folder as well.
        const found = await stat(folder).catch(() => null)
        if (found?.isDirectory() === true && nowMs - found.mtimeMs > leftoverAgeMs) await remove(folder)
      }
    },
    make: () => mkdtemp(join(place, prefix)),
    remove,
  }
}

function remove(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true })
}
