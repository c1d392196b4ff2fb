import type { Uuid } from '#lib/uuid.ts'

/** A job whose videos are no longer to be kept. */
export interface StoredVideos {
  readonly id: Uuid
  readonly createdAtMs: number
  readonly videoCount: number
}

export interface StoredVideoBook {
  /** Jobs whose videos have had their time, the oldest first, at most so many. */
  findOver(atMost: number): Promise<readonly StoredVideos[]>
  /** Notes that nothing is kept of these any more. */
  forget(ids: readonly Uuid[]): Promise<void>
}
