import type { MediaFile } from '#domain/media/media-file.ts'

/** Fetches images from addresses that callers chose. */
export interface ImageSource {
  /** Throws an `invalidImageUrl` or `invalidImageType` for what can not be fetched or is no image. */
  fetch(url: string, signal: AbortSignal): Promise<MediaFile>
}
