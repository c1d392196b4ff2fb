import { publicRequestId } from '#domain/ledger/request-id.ts'
import { newUuid } from '#lib/uuid.ts'

/** Ids that no other process and no other request has. Never taken from the client. */
export function createRequestIds(nowMs: () => number): () => string {
  return () => publicRequestId(newUuid(nowMs()))
}
