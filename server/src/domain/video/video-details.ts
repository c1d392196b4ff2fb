import type { Model } from '#domain/catalogue/model.ts'
import { type JsonObject, objectAt } from '#lib/json.ts'
import type { VideoTaskKind } from './video-task.ts'

/** A model's limits from the catalogue's `video` field; empty if it is missing. */
export interface VideoDetails {
  /** Seconds, ascending. */
  readonly durations: readonly number[]
  readonly resolutions: readonly string[]
  readonly aspectRatios: readonly string[]
  /** For example `1280x720`. */
  readonly sizes: readonly string[]
  readonly hasAudio: boolean
  /** Null if unknown. */
  readonly takesSeed: boolean | null
}

export function videoDetailsOf(details: JsonObject): VideoDetails {
  const video = objectAt(details, 'video')
  const durations = listAt(video, 'supported_durations').filter((value) => typeof value === 'number')
  return {
    durations: durations.toSorted((one, other) => one - other),
    resolutions: textsAt(video, 'supported_resolutions'),
    aspectRatios: textsAt(video, 'supported_aspect_ratios'),
    sizes: textsAt(video, 'supported_sizes'),
    hasAudio: video.generate_audio === true,
    takesSeed: typeof video.seed === 'boolean' ? video.seed : null,
  }
}

/** The tasks that a model supports, by its inputs; the codec decides which of them a provider supports. */
export function videoTasksOf({
  inputModalities,
  details,
}: Pick<Model, 'inputModalities' | 'details'>): VideoTaskKind[] {
  const video = objectAt(details, 'video')
  const frames = video.supported_frame_images === undefined ? ['first_frame'] : textsAt(video, 'supported_frame_images')
  const takesImages = inputModalities.includes('image')
  const tasks: VideoTaskKind[] = ['text_to_video']
  if (takesImages && frames.includes('first_frame')) tasks.push('image_to_video')
  if (takesImages && frames.includes('last_frame')) tasks.push('keyframes')
  if (takesImages) tasks.push('reference_to_video')
  if (inputModalities.includes('video')) tasks.push('continuation', 'video_edit')
  return tasks
}

function listAt(parent: JsonObject, key: string): readonly unknown[] {
  const value = parent[key]
  return Array.isArray(value) ? value : []
}

function textsAt(parent: JsonObject, key: string): string[] {
  return listAt(parent, key).filter((value) => typeof value === 'string')
}
