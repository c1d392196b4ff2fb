import type { Uuid } from '#lib/uuid.ts'

/**
 * The value of `X-Request-Id`: `req_` and a UUID without dashes. The generation of an inference request has the same
 * UUID, so either id finds the record by its primary key, and nothing extra is stored or indexed.
 */
export function publicRequestId(id: Uuid): string {
  return `req_${id.replaceAll('-', '')}`
}

const form = /^(?:req_|gen[-_])?([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})$/i

/** Parses a request id or a generation id, with or without dashes, as headers, logs and tables show them. */
export function parseAnyRequestId(text: string): Uuid | undefined {
  return form.exec(text)?.slice(1).join('-').toLowerCase()
}

/** The generation id of a request id that was created here; cheaper than parsing it. */
export function generationIdOf(requestId: string): Uuid {
  const hex = requestId.slice(4)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
