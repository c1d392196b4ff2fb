import type { ImageTask } from '#domain/media/media-task.ts'
import type { MediaJson } from '#domain/media/media-json.ts'
import type { MediaTarget } from '../target.ts'

/** How an upstream's images API differs from OpenAI's. Every default is OpenAI's behavior. */
export interface ImageHabits {
  readonly path?: string
  /** The requested response format. Not sent to upstreams that choose it themselves. */
  readonly responseFormat?: string | ((target: MediaTarget) => string | undefined)
  /** Maximum images per request. */
  readonly atOnce?: number | ((target: MediaTarget) => number)
  /** Field name of the number of images, which is sent only if it is above one. */
  readonly countField?: string
  /** Writes the size of the image in this upstream's fields. */
  readonly writeSize: (task: ImageTask, target: MediaTarget) => MediaMembers
  /** How input images are sent. Without it, the upstream accepts none. */
  readonly inputs?: ImageInputs
  /** Whether it supports `quality`. */
  readonly takesQuality?: true
  /** Further client fields that it is known to accept. */
  readonly extras?: readonly string[]
}

export type ImageInputs =
  /** As files of a form, to a separate path. */
  | {
      readonly kind: 'form'
      readonly path: string
      readonly field: string
      readonly most: number
      /** Fields that this path requires, unless the client sets them. */
      readonly defaults?: MediaMembers
    }
  /** As URLs or data URIs in the JSON. */
  | {
      readonly kind: 'json'
      readonly path?: string
      readonly most: number
      readonly write: (addresses: readonly MediaJson[]) => MediaMembers
    }

export interface MediaMembers {
  readonly [field: string]: MediaJson | undefined
}
