import type { VideoTaskKind } from '#domain/video/video-task.ts'

/** The input names of one model family, and the fields that it lacks. Each model on Replicate has its own schema. */
export interface VideoTraits {
  readonly first: string | null
  readonly last: string | null
  readonly references: string | null
  readonly video: string | null
  readonly seconds: string
  readonly audio: string | null
  readonly takesResolution: boolean
  /** Whether text alone is enough. */
  readonly makesFromWords: boolean
}

export function videoTraitsOf(model: string): VideoTraits {
  return families.find(([form]) => form.test(model))?.[1] ?? anyModel
}

export function tasksOf({ first, last, references, video, makesFromWords }: VideoTraits): VideoTaskKind[] {
  return [
    ...(makesFromWords ? (['text_to_video'] as const) : []),
    ...(first === null ? [] : (['image_to_video'] as const)),
    ...(first === null || last === null ? [] : (['keyframes'] as const)),
    ...(references === null ? [] : (['reference_to_video'] as const)),
    ...(video === null ? [] : (['video_edit'] as const)),
  ]
}

const anyModel: VideoTraits = {
  first: 'image',
  last: null,
  references: null,
  video: null,
  seconds: 'duration',
  audio: null,
  takesResolution: true,
  makesFromWords: true,
}
const imagesOnly: VideoTraits = { ...anyModel, makesFromWords: false }
const veo: VideoTraits = { ...anyModel, last: 'last_frame', references: 'reference_images', audio: 'generate_audio' }
const kling: VideoTraits = { ...anyModel, first: 'start_image', last: 'end_image', takesResolution: false }
const hailuo: VideoTraits = { ...anyModel, first: 'first_frame_image' }

const families: readonly (readonly [RegExp, VideoTraits])[] = [
  [/\/veo-3(?:\.0|-|$)/, { ...veo, last: null, references: null }],
  [/\/veo-/, veo],
  [/\/kling-(?:o1|v3-omni)/, { ...kling, references: 'reference_images', video: 'reference_video' }],
  [/\/kling-v(?:2\.6|3)/, { ...kling, audio: 'generate_audio' }],
  [/\/kling-/, kling],
  [/\/hailuo-2\.3-fast/, { ...hailuo, makesFromWords: false }],
  [/\/hailuo-2\.3/, hailuo],
  [/\/hailuo-/, { ...hailuo, last: 'last_frame_image' }],
  [/\/seedance-2/, { ...anyModel, last: 'last_frame_image', references: 'reference_images', audio: 'generate_audio' }],
  [/\/seedance-1\.5/, { ...anyModel, last: 'last_frame_image', audio: 'generate_audio' }],
  [/\/seedance-/, { ...anyModel, last: 'last_frame_image' }],
  [/\/ray-/, { ...anyModel, first: 'start_image', last: 'end_image', takesResolution: false }],
  [/\/sora-/, { ...anyModel, first: 'input_reference', seconds: 'seconds', takesResolution: false }],
  [/\/gen4-aleph/, { ...anyModel, first: null, video: 'video', makesFromWords: false, takesResolution: false }],
  [/\/gen4-turbo/, { ...imagesOnly, takesResolution: false }],
  [/\/wan-.*i2v/, { ...imagesOnly, last: 'last_image' }],
  [/\/wan-.*t2v/, { ...anyModel, first: null }],
]
