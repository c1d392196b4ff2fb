import { fileBlobPrefix } from '#domain/files/stored-file.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { BlobStore } from '#ports/blob-store.ts'

interface OverFiles {
  find(atMost: number): Promise<readonly Uuid[]>
  forget(ids: readonly Uuid[]): Promise<void>
}

const chunksAtOnce = 1_000

/**
 * Deletes the bytes and then the rows of expired files, so that a worker that dies in between leaves no bytes without a
 * row. Two workers may run it at once: a blob that is already gone is not an error.
 */
export async function purgeFiles(files: OverFiles, blobs: BlobStore, atMost: number): Promise<number> {
  const over = await files.find(atMost)
  for (const id of over) {
    for (;;) {
      const keys = await blobs.list(`${fileBlobPrefix}${id}/`, chunksAtOnce)
      for (const key of keys) await blobs.remove(key)
      if (keys.length < chunksAtOnce) break
    }
  }
  if (over.length > 0) await files.forget(over)
  return over.length
}
