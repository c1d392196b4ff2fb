import { imageBlobs } from '#control/media/image-tokens.ts'
import type { BlobStore } from '#ports/blob-store.ts'
import { purgeByHour } from './purge-by-hour.ts'

/** Deletes expired images and returns their number. */
export function purgeImages(
  blobs: BlobStore,
  when: { readonly nowMs: number; readonly retentionMs: number; readonly atMost: number },
): Promise<number> {
  return purgeByHour(blobs, { ...imageBlobs, ...when })
}
