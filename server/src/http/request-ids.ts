import { publicRequestId } from '#domain/ledger/request-id.ts'
import { newUuid } from '#lib/uuid.ts'

/** Creates globally unique ids. They are never taken from the client. */
export function createRequestIds(nowMs: () => number): () => string {
  return () => publicRequestId(newUuid(nowMs()))
}
