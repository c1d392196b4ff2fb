import { type Uuid, uuidTimeMs } from '#lib/uuid.ts'
import { createHourlyBlobs } from './hourly-blobs.ts'

/** How long a stored answer can be replayed. */
export const answerLifeMs = 24 * 3_600_000

/** The chunks of stored answers. */
export const answerBlobs = createHourlyBlobs('answers/', /^[0-9a-f-]{36}-\d{6}$/)

/** The blob key of a chunk. */
export function answerBlobKey(id: Uuid, position: number): string {
  return answerBlobs.keyAt(uuidTimeMs(id), `${id}-${String(position).padStart(6, '0')}`)
}
