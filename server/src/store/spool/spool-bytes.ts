import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Of all files in the spool, also those of other processes and what was rejected. Zero where it cannot be read. */
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
