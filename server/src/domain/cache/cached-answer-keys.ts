import { createHourlyBlobs } from '#domain/media/hourly-blobs.ts'
import { type Uuid, uuidTimeMs } from '#lib/uuid.ts'

/** The answers of the response cache. */
export const cachedAnswerBlobs = createHourlyBlobs('cached/', /^[0-9a-f-]{36}$/)

/** The blob key of an answer. */
export function cachedAnswerBlobKey(id: Uuid): string {
  return cachedAnswerBlobs.keyAt(uuidTimeMs(id), id)
}
