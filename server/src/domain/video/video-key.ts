import type { Uuid } from '#lib/uuid.ts'

/** The blob key of a video. It starts with the day of the order, so that old videos can be listed separately. */
export function videoKey({ id, createdAtMs }: { id: Uuid; createdAtMs: number }, index: number): string {
  return `videos/${new Date(createdAtMs).toISOString().slice(0, 10)}/${id}-${index}`
}
