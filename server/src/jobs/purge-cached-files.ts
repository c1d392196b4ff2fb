import { cachedAnswerBlobs } from '#domain/cache/cached-answer-keys.ts'
import type { BlobStore } from '#ports/blob-store.ts'
import { purgeByHour } from './purge-by-hour.ts'

/** Deletes the bytes of expired cached answers and returns their number. */
export function purgeCachedFiles(
  blobs: BlobStore,
  when: { readonly nowMs: number; readonly retentionMs: number; readonly atMost: number },
): Promise<number> {
  return purgeByHour(blobs, { ...cachedAnswerBlobs, ...when })
}
