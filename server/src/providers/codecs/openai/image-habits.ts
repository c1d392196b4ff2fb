import type { ImageTask } from '#domain/media/media-task.ts'
import type { MediaJson } from '#domain/media/media-json.ts'
import type { MediaTarget } from '../target.ts'

/** How a host's images depart from OpenAI's. Everything has OpenAI's form as its default. */
export interface ImageHabits {
  readonly path?: string
  /** What it is asked to answer with; hosts that choose themselves are not told. */
  readonly responseFormat?: string | ((target: MediaTarget) => string | undefined)
  /** How many images it makes at once. */
  readonly atOnce?: number | ((target: MediaTarget) => number)
  /** What it calls their number, which is told only where there are several. */
  readonly countField?: string
  /** The form of the image, in this host's words. */
  readonly writeSize: (task: ImageTask, target: MediaTarget) => MediaMembers
  /** How it is sent images to start from; it takes none where this is left out. */
  readonly inputs?: ImageInputs
  /** Whether it knows `quality`. */
  readonly takesQuality?: true
  /** Fields of clients that it is known to take beside. */
  readonly extras?: readonly string[]
}

export type ImageInputs =
  /** As files of a form to a path of their own. */
  | {
      readonly kind: 'form'
      readonly path: string
      readonly field: string
      readonly most: number
      /** What it must be told there, unless the client has. */
      readonly defaults?: MediaMembers
    }
  /** As addresses or data URIs in the JSON. */
  | {
      readonly kind: 'json'
      readonly path?: string
      readonly most: number
      readonly write: (addresses: readonly MediaJson[]) => MediaMembers
    }

export interface MediaMembers {
  readonly [field: string]: MediaJson | undefined
}
