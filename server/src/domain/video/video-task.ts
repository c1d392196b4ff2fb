import type { JsonObject } from '#lib/json.ts'

/** The kinds of video tasks, with the names of price lists. */
export const videoTaskKinds = [
  'text_to_video',
  'image_to_video', // from a first frame
  'keyframes', // between a first and a last frame
  'reference_to_video', // with images of whom or what it shows
  'continuation', // longer than the video it goes on from
  'video_edit', // as long as the video it changes
] as const
export type VideoTaskKind = (typeof videoTaskKinds)[number]

/** A video task in canonical form. It is stored with its job, so it is plain JSON. */
export interface VideoTask {
  readonly kind: 'video'
  readonly task: VideoTaskKind
  readonly prompt: string
  /** Whole seconds; the model's default if the client set none. */
  readonly durationS: number
  /** One of the model's resolutions, such as `720p`; null if the model has only one. */
  readonly resolution: string | null
  /** For example `16:9`; null if an input decides or the order does not say. */
  readonly aspectRatio: string | null
  /** In pixels, if the client sent a size instead. */
  readonly size: { readonly width: number; readonly height: number } | null
  readonly audio: boolean
  readonly watermark: boolean
  readonly seed: number | null
  /** Inputs are public URLs. */
  readonly firstFrame: string | null
  readonly lastFrame: string | null
  readonly references: readonly string[]
  readonly inputVideo: InputVideo | null
  /** Fields without a canonical place, for upstreams that know them. */
  readonly extras: JsonObject
}

export interface InputVideo {
  readonly url: string
  readonly durationMs: number
}
