import type { HourlyBlobs } from '#domain/media/hourly-blobs.ts'
import type { BlobStore } from '#ports/blob-store.ts'

const hourMs = 3_600_000
const removersAtOnce = 16

interface ExpiringBlobs extends Pick<HourlyBlobs, 'prefix' | 'hourMsOf'> {
  readonly retentionMs: number
  readonly nowMs: number
  readonly atMost: number
}

/**
 * Deletes expired blobs and returns their number. Keys are listed by hour, so a batch without an expired blob means
 * that none is left. Two workers may run it at once: a blob that is already gone is not an error.
 */
export async function purgeByHour(
  blobs: BlobStore,
  { prefix, hourMsOf, retentionMs, nowMs, atMost }: ExpiringBlobs,
): Promise<number> {
  const keys = await blobs.list(prefix, atMost)
  const old = keys.filter((key) => {
    const startMs = hourMsOf(key)
    return startMs !== null && startMs + hourMs + retentionMs <= nowMs
  })
  const waiting = old.values()
  const remove = async (): Promise<void> => {
    for (const key of waiting) await blobs.remove(key)
  }
  await Promise.all(Array.from({ length: removersAtOnce }, remove))
  return old.length
}
