import type { Uuid } from '#lib/uuid.ts'

/** The public form of a generation's id: `gen-` and the UUID without dashes. */
export function publicGenerationId(id: Uuid): string {
  return `gen-${id.replaceAll('-', '')}`
}

const form = /^gen-([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})$/i

/** Parses a generation id. Undefined if it is invalid. Dashes are accepted, because logs and tables show them. */
export function parseGenerationId(text: string): Uuid | undefined {
  return form.exec(text)?.slice(1).join('-').toLowerCase()
}
