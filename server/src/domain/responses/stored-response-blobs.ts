import { createHourlyBlobs } from '#domain/media/hourly-blobs.ts'
import { type Uuid, uuidTimeMs } from '#lib/uuid.ts'

/** The input items of a response, and the response object. */
export type ResponsePart = 'input' | 'response'

/** The parts of stored responses. */
export const storedResponseBlobs = createHourlyBlobs('responses/', /^[0-9a-f-]{36}-(input|response)$/)

export function storedResponseBlobKey(id: Uuid, part: ResponsePart): string {
  return storedResponseBlobs.keyAt(uuidTimeMs(id), `${id}-${part}`)
}
