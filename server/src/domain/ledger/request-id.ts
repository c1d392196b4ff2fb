import type { Uuid } from '#lib/uuid.ts'

/**
 * What `X-Request-Id` says: `req_` and a UUID without dashes. The generation of an inference request has the same UUID,
 * so either id leads to the record by its primary key, and nothing is stored or indexed for it.
 */
export function publicRequestId(id: Uuid): string {
  return `req_${id.replaceAll('-', '')}`
}

const form = /^(?:req_|gen[-_])?([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})$/i

/** From the id of a request or of its generation, with or without dashes, as headers, logs and tables show them. */
export function parseAnyRequestId(text: string): Uuid | undefined {
  return form.exec(text)?.slice(1).join('-').toLowerCase()
}

/** The generation of a request whose id was made here; cheaper than to parse it. */
export function generationIdOf(requestId: string): Uuid {
  const hex = requestId.slice(4)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
