import type { JsonObject } from '#lib/json.ts'
import type { InputVideo, VideoTaskKind } from './video-task.ts'

/** A video order, before a model's limits and defaults are applied. */
export interface VideoOrder {
  readonly prompt: string
  readonly durationS: number | null
  readonly resolution: string | null
  readonly aspectRatio: string | null
  readonly size: { readonly width: number; readonly height: number } | null
  readonly audio: boolean | null
  readonly watermark: boolean
  readonly seed: number | null
  readonly firstFrame: string | null
  readonly lastFrame: string | null
  readonly references: readonly string[]
  readonly inputVideo: InputVideo | null
  readonly extras: JsonObject
}

/** The kind of task, by its inputs. Frames take precedence over references. */
export function taskKindOf(order: VideoOrder): VideoTaskKind {
  const { inputVideo, firstFrame, lastFrame, references, durationS } = order
  if (inputVideo !== null) {
    const isLonger = durationS !== null && durationS * 1_000 > inputVideo.durationMs
    return isLonger ? 'continuation' : 'video_edit'
  }
  if (firstFrame !== null) return lastFrame === null ? 'image_to_video' : 'keyframes'
  if (lastFrame !== null) return 'keyframes'
  return references.length > 0 ? 'reference_to_video' : 'text_to_video'
}
