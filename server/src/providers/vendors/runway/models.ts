import type { VideoTaskKind } from '#domain/video/video-task.ts'

/** The options that a Runway model accepts. It rejects unknown fields. */
export interface RunwayTraits {
  readonly tasks: readonly VideoTaskKind[]
  /** Supported frames in pixels. Empty if any is accepted. */
  readonly ratios: readonly string[]
  /** Frames for text only, if they are fewer. */
  readonly wordRatios?: readonly string[]
  /** Resolutions for image input, if the image decides the ratio and a resolution is named instead. */
  readonly imageResolutions?: readonly string[]
  /** Set if an edited video keeps its frame and none may be named. */
  readonly keepsFrameOfVideos?: true
  /** False if an input determines the ratio unless a ratio is requested. */
  readonly needsRatio: boolean
  readonly takesSeed: boolean
  readonly takesAudio: boolean
  /** Field name of the video to edit. */
  readonly videoField: 'videoUri' | 'promptVideo'
}

export function runwayTraitsOf(upstreamModel: string): RunwayTraits {
  return families.find(([form]) => form.test(upstreamModel))?.[1] ?? unknownModel
}

const upright = ['1280:720', '720:1280']
const genRatios = [...upright, '1104:832', '832:1104', '960:960', '1584:672']
const wideRatios = [...upright, '1920:1080', '1080:1920']
const seedanceSmall = ['992:432', '864:496', '752:560', '640:640', '560:752', '496:864']
const seedanceRatios = [...seedanceSmall, '1470:630', '1280:720', '1112:834', '960:960', '834:1112', '720:1280']
const seedanceFull = ['2206:946', '1920:1080', '1664:1248', '1440:1440', '1248:1664', '1080:1920']
const seedanceLarge = ['3840:1646', '3840:2160', '3840:2880', '3840:3840', '2880:3840', '2160:3840']
const happyHorseRatios = [...wideRatios, '960:960', '1108:832', '832:1108', '1440:1440', '1662:1248', '1248:1662']

const gen: RunwayTraits = {
  tasks: ['text_to_video', 'image_to_video'],
  ratios: genRatios,
  needsRatio: true,
  takesSeed: true,
  takesAudio: false,
  videoField: 'videoUri',
}

const unknownModel: RunwayTraits = {
  ...gen,
  tasks: ['text_to_video', 'image_to_video', 'keyframes', 'video_edit'],
  ratios: upright,
}

const seedance: RunwayTraits = {
  tasks: [...gen.tasks, 'keyframes', 'reference_to_video', 'video_edit'],
  ratios: seedanceRatios,
  needsRatio: false,
  takesSeed: false,
  takesAudio: true,
  videoField: 'promptVideo',
}

const families: readonly (readonly [RegExp, RunwayTraits])[] = [
  [/^gen4\.5/, { ...gen, wordRatios: upright }],
  [/^gen4_turbo/, { ...gen, tasks: ['image_to_video'] }],
  [/^gen3a/, { ...gen, tasks: ['image_to_video', 'keyframes'], ratios: ['1280:768', '768:1280'] }],
  [/aleph/, { ...gen, tasks: ['video_edit'], needsRatio: false }],
  [/^veo/, { ...gen, tasks: [...gen.tasks, 'keyframes'], ratios: wideRatios, takesSeed: false, takesAudio: true }],
  [/^seedance2$/, { ...seedance, ratios: [...seedanceRatios, ...seedanceFull, ...seedanceLarge] }],
  [/^seedance/, seedance],
  [
    /^happyhorse/,
    { ...gen, ratios: happyHorseRatios, needsRatio: false, takesSeed: false, imageResolutions: ['720p', '1080p'] },
  ],
  [
    /^gemini_omni/,
    {
      ...gen,
      tasks: [...gen.tasks, 'video_edit'],
      ratios: upright,
      needsRatio: false,
      takesSeed: false,
      keepsFrameOfVideos: true,
    },
  ],
]
