import type { Uuid } from '#lib/uuid.ts'

const prefix = 'file-'
const form = /^file-([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/

export function publicFileId(id: Uuid): string {
  return prefix + id.replaceAll('-', '')
}

/** Returns undefined for an invalid file id. */
export function parseFileId(text: string): Uuid | undefined {
  const [, ...parts] = form.exec(text) ?? []
  return parts.length === 0 ? undefined : parts.join('-')
}
