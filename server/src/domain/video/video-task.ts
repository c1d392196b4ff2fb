import type { JsonObject } from '#lib/json.ts'

/** What a video is made from. The names are those that price lists know. */
export const videoTaskKinds = [
  'text_to_video',
  'image_to_video', // from a first frame
  'keyframes', // between a first and a last frame
  'reference_to_video', // with images of whom or what it shows
  'continuation', // longer than the video it goes on from
  'video_edit', // as long as the video it changes
] as const
export type VideoTaskKind = (typeof videoTaskKinds)[number]

/** A video to be made, in canonical form. It is stored with its job, so it is plain JSON. */
export interface VideoTask {
  readonly kind: 'video'
  readonly task: VideoTaskKind
  readonly prompt: string
  /** Whole seconds; the model's default where the client said nothing. */
  readonly durationS: number
  /** One of the model's own, such as `720p`; null where the model has but one. */
  readonly resolution: string | null
  /** Such as `16:9`; null where an input decides or the order does not say. */
  readonly aspectRatio: string | null
  /** In pixels, where the client said that instead. */
  readonly size: { readonly width: number; readonly height: number } | null
  readonly audio: boolean
  readonly watermark: boolean
  readonly seed: number | null
  /** Inputs are public addresses. */
  readonly firstFrame: string | null
  readonly lastFrame: string | null
  readonly references: readonly string[]
  readonly inputVideo: InputVideo | null
  /** Fields without a place here, for upstreams that know them. */
  readonly extras: JsonObject
}

export interface InputVideo {
  readonly url: string
  readonly durationMs: number
}
