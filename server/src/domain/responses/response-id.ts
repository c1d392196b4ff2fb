import type { Uuid } from '#lib/uuid.ts'

const form = /^resp_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/

/** The public id of the response that a generation made. */
export function publicResponseId(id: Uuid): string {
  return `resp_${id.replaceAll('-', '')}`
}

/** Null if it is not the id of a response. */
export function parseResponseId(text: string): Uuid | null {
  const [, ...parts] = form.exec(text) ?? []
  return parts.length === 0 ? null : parts.join('-')
}
