import { videoKey } from '#domain/video/video-key.ts'
import type { BlobStore } from '#ports/blob-store.ts'
import type { StoredVideoStore, StoredVideos } from '#ports/videos.ts'

const removersAtOnce = 16

/**
 * Deletes the expired videos of jobs and returns the number of jobs. The row is cleared last, so that a worker that
 * dies in between leaves no file without a row. Two workers may run it at once: a video that is already gone is not an
 * error.
 */
export async function purgeVideos(store: StoredVideoStore, blobs: BlobStore, atMost: number): Promise<number> {
  const over = await store.findOver(atMost)
  if (over.length === 0) return 0
  const keys = over.flatMap(keysOf).values()
  const remove = async (): Promise<void> => {
    for (const key of keys) await blobs.remove(key)
  }
  await Promise.all(Array.from({ length: removersAtOnce }, remove))
  await store.forget(over.map(({ id }) => id))
  return over.length
}

function keysOf(job: StoredVideos): string[] {
  return Array.from({ length: job.videoCount }, (_, index) => videoKey(job, index))
}
