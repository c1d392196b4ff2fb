import { newUuid } from '#lib/uuid.ts'

/** Ids that no other process and no other request has: this process's own, and a number. Never taken from the client. */
export function createRequestIds(nowMs: number): () => string {
  const own = `req_${newUuid(nowMs).replaceAll('-', '')}`
  let count = 0
  return () => {
    count += 1
    return `${own}${count.toString(36)}`
  }
}
