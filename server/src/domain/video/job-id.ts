import type { Uuid } from '#lib/uuid.ts'

const prefix = 'vjob_'
const form = /^vjob_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/

export function publicJobId(id: Uuid): string {
  return prefix + id.replaceAll('-', '')
}

/** Returns undefined for an invalid job id. */
export function parseJobId(text: string): Uuid | undefined {
  const [, ...parts] = form.exec(text) ?? []
  return parts.length === 0 ? undefined : parts.join('-')
}
