import { storedResponseBlobs } from '#domain/responses/stored-response-blobs.ts'
import type { BlobStore } from '#ports/blob-store.ts'
import { purgeByHour } from './purge-by-hour.ts'

/** Deletes the files of expired responses and returns their number. */
export function purgeResponseFiles(
  blobs: BlobStore,
  when: { readonly nowMs: number; readonly retentionMs: number; readonly atMost: number },
): Promise<number> {
  return purgeByHour(blobs, { ...storedResponseBlobs, ...when })
}
