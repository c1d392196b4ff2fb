import { answerBlobs, answerLifeMs } from '#domain/media/answer-keys.ts'
import type { BlobStore } from '#ports/blob-store.ts'
import { purgeByHour } from './purge-by-hour.ts'

/** Deletes the chunks of expired answers and returns their number. */
export function purgeAnswerFiles(
  blobs: BlobStore,
  { nowMs, atMost }: { readonly nowMs: number; readonly atMost: number },
): Promise<number> {
  return purgeByHour(blobs, { ...answerBlobs, retentionMs: answerLifeMs, nowMs, atMost })
}
