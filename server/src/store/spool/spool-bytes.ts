import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Total size of all files in the spool, including rejected lines and files of other processes. Zero if the folder
 * cannot be read.
 */
export async function spoolBytes(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => [])
  // A file may have been replayed and removed since it was listed.
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
