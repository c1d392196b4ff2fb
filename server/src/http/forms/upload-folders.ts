import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Where the files of forms lie while their requests are served: a folder for each request. */
export interface UploadFolders {
  /** Makes the place, and removes what processes that were killed left there. */
  prepare(nowMs: number): Promise<void>
  make(): Promise<string>
  remove(folder: string): Promise<void>
}

const prefix = 'form-'
// Gateways of one machine share the place, and no request lives for an hour.
const leftoverAgeMs = 3_600_000

export function createUploadFolders(place: string): UploadFolders {
  return {
    prepare: async (nowMs) => {
      await mkdir(place, { recursive: true, mode: 0o700 })
      for (const name of await readdir(place)) {
        if (!name.startsWith(prefix)) continue
        const folder = join(place, name)
        // Another process may be removing it as well.
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
