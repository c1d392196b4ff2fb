import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { whenOrphaned } from '#test/setup/when-orphaned.ts'

/** A file system of a few megabytes that can be filled to the last byte. */
export interface SmallDisk {
  /** A folder on this disk that belongs to the Postgres user. */
  readonly folder: string
  fill(): Promise<void>
  empty(): Promise<void>
  remove(): Promise<void>
}

const run = promisify(execFile)

/** Mounting needs root, and in a container also the mount capability. */
export async function canMount(): Promise<boolean> {
  try {
    await (await createSmallDisk(1)).remove()
    return true
  } catch {
    return false
  }
}

export async function createSmallDisk(megabytes: number): Promise<SmallDisk> {
  const place = await mkdtemp(join(tmpdir(), 'disk-'))
  await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', place])
  const watcher = whenOrphaned('umount -l "$1"; rm -rf "$1"', [place])
  const folder = join(place, 'data')
  await mkdir(folder)
  await chmod(place, 0o755)
  // Postgres only accepts a folder that it owns.
  await run('chown', ['postgres', folder])
  const filler = join(place, 'filler')
  return {
    folder,
    fill: async () => {
      const file = await open(filler, 'a')
      try {
        for (;;) await file.write(Buffer.alloc(4_096))
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
      } finally {
        await file.close()
      }
    },
    empty: () => rm(filler, { force: true }),
    remove: async () => {
      watcher.kill()
      await run('umount', ['-l', place])
      await rm(place, { recursive: true, force: true })
    },
  }
}
