import type { MadeImage } from '#domain/media/media-result.ts'
import type { Behalf } from './behalf.ts'

/** Keeps images for an hour, where their caller can fetch them. */
export interface ImageHost {
  /** Throws a `pipelineError` for what can not be fetched, is no image, or can not be stored. */
  host(image: MadeImage, on: Behalf): Promise<StoredImage>
}

export interface StoredImage {
  /** What stands behind `/v1/images/proxy/`. */
  readonly token: string
  readonly width: number
  readonly height: number
}
