import type { MediaFile } from '#domain/media/media-file.ts'
import type { Behalf } from './behalf.ts'

/** Fetches images from addresses that callers chose. */
export interface ImageSource {
  /** Throws an `invalidImageUrl`, `invalidImageType` or `imageTooLarge` for what can not be fetched, is no image or is too much. */
  fetch(url: string, on: Behalf): Promise<FetchedImage>
}

export interface FetchedImage {
  readonly file: MediaFile
  /** Removes the file. Whoever had it fetched does so, when nobody reads it any more. */
  discard(): Promise<void>
}
