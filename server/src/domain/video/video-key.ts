import type { Uuid } from '#lib/uuid.ts'

/** Where a video is kept: by the day it was asked for, so that old ones are found without looking at new ones. */
export function videoKey({ id, createdAtMs }: { id: Uuid; createdAtMs: number }, index: number): string {
  return `videos/${new Date(createdAtMs).toISOString().slice(0, 10)}/${id}-${index}`
}
