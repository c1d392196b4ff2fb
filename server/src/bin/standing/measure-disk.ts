import { constants } from 'node:fs'
import { access, statfs } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { DiskFacts } from '#control/standing/judge-disk.ts'
import { errorCode } from '#lib/error-code.ts'

/**
 * Measures the disk of the folder, or of its nearest existing parent. It creates no folder, because it may run as
 * another user than the gateway.
 */
export async function measureDisk(folder: string): Promise<DiskFacts> {
  let nearest = resolve(folder)
  for (;;) {
    try {
      const { bavail, blocks, bsize } = await statfs(nearest)
      const isWritable = await access(nearest, constants.W_OK).then(
        () => true,
        () => false,
      )
      return { folder, isWritable, freeBytes: bavail * bsize, totalBytes: blocks * bsize }
    } catch (error) {
      if (errorCode(error) !== 'ENOENT' || nearest === dirname(nearest)) {
        return { folder, isWritable: false, freeBytes: 0, totalBytes: 0 }
      }
      nearest = dirname(nearest)
    }
  }
}
