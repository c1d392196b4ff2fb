import { imageHourMs, imagePrefix } from '#control/media/image-tokens.ts'
import type { BlobStore } from '#ports/blob-store.ts'

const hourMs = 3_600_000
const removersAtOnce = 16

/**
 * Deletes expired images and returns their number. Keys are listed in the order of their hours, so a batch without an
 * old one means that there is none. Two workers may run it at once: an image that is already gone is not an error.
 */
export async function purgeImages(
  blobs: BlobStore,
  when: { readonly nowMs: number; readonly retentionMs: number; readonly atMost: number },
): Promise<number> {
  const keys = await blobs.list(imagePrefix, when.atMost)
  const old = keys.filter((key) => {
    const startMs = imageHourMs(key)
    return startMs !== null && startMs + hourMs + when.retentionMs <= when.nowMs
  })
  const waiting = old.values()
  const remove = async (): Promise<void> => {
    for (const key of waiting) await blobs.remove(key)
  }
  await Promise.all(Array.from({ length: removersAtOnce }, remove))
  return old.length
}
