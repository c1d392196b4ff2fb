import type { VideoTaskKind } from '#domain/video/video-task.ts'

/** The request format of one app family for videos. Each app has its own schema. */
export interface VideoAppTraits {
  /** Path suffix by task. A task without a path is not supported. */
  readonly paths: Readonly<Partial<Record<VideoTaskKind, string>>>
  readonly fields: VideoFields
  readonly writeSeconds: (seconds: number) => string | number
  /** Resolutions in lower case, as requests name them. Empty if the app accepts none; undefined if they are unknown. */
  readonly resolutions?: readonly string[]
  readonly writeResolution: (resolution: string) => string
  /** Ratios for text or reference input. Empty if the app accepts none. */
  readonly ratios: readonly string[]
  /** False if a request with text only can set neither ratio nor resolution. */
  readonly wordsHaveForm: boolean
}

export interface VideoFields {
  readonly first: string
  /** Field names if both frames are given. */
  readonly firstOfTwo: string
  readonly last: string
  readonly references: string
}

export function videoAppTraitsOf(app: string): VideoAppTraits {
  const traits = families.find(([form]) => form.test(app))?.[1] ?? anyApp
  const stated = statedPaths.find((path) => app.includes(path))
  if (stated === undefined) return traits
  // A model that names a path other than the one for text supports only that path.
  if (stated === '/video-to-video') return { ...traits, paths: { video_edit: '' } }
  const kinds = Object.entries(traits.paths).filter(([, path]) => path === stated)
  return { ...traits, paths: Object.fromEntries(kinds.map(([kind]) => [kind, ''])) }
}

const statedPaths = ['/image-to-video', '/first-last-frame-to-video', '/reference-to-video', '/video-to-video']

/** The app without the path for text, to which other paths are added. */
export function appForTask(app: string, path: string): string {
  return path === '' ? app : app.replace(/\/text-to-video$/, '') + path
}

const asText = (seconds: number): string => String(seconds)
const withUnit = (seconds: number): string => `${seconds}s`
const asNumber = (seconds: number): number => seconds
const asItIs = (resolution: string): string => resolution

const usualRatios = ['16:9', '9:16', '1:1', '4:3', '3:4', '21:9', '9:21', '3:2', '2:3']
const upright = ['16:9', '9:16']
const fiveRatios = [...upright, '1:1', '4:3', '3:4']

const anyApp: VideoAppTraits = {
  paths: {
    text_to_video: '',
    image_to_video: '/image-to-video',
    keyframes: '/image-to-video',
    reference_to_video: '/reference-to-video',
  },
  fields: { first: 'image_url', firstOfTwo: 'image_url', last: 'end_image_url', references: 'image_urls' },
  writeSeconds: asText,
  writeResolution: asItIs,
  ratios: usualRatios,
  wordsHaveForm: true,
}

const { reference_to_video: _, ...withoutReferences } = anyApp.paths
const { keyframes: __, ...framesOnly } = withoutReferences
const { keyframes: ___, ...withoutKeyframes } = anyApp.paths

const veo: VideoAppTraits = {
  ...anyApp,
  paths: { ...anyApp.paths, keyframes: '/first-last-frame-to-video' },
  fields: { ...anyApp.fields, firstOfTwo: 'first_frame_url', last: 'last_frame_url' },
  writeSeconds: withUnit,
  resolutions: ['720p', '1080p'],
  ratios: upright,
}
const kling: VideoAppTraits = {
  ...anyApp,
  paths: withoutReferences,
  fields: { ...anyApp.fields, first: 'start_image_url', firstOfTwo: 'start_image_url' },
  resolutions: [],
  ratios: [...upright, '1:1'],
}
const hailuo: VideoAppTraits = {
  ...anyApp,
  paths: withoutReferences,
  writeResolution: (resolution) => resolution.toUpperCase(),
  ratios: [],
  wordsHaveForm: false,
}
const references = { ...anyApp.fields, references: 'reference_image_urls' }

/** From fal's own endpoint types (@fal-ai/client, `EndpointTypeMap`). */
const families: readonly (readonly [RegExp, VideoAppTraits])[] = [
  [
    /\/veo\d[\d.]*\/fast/,
    {
      ...veo,
      paths: { ...withoutReferences, keyframes: '/first-last-frame-to-video' },
    },
  ],
  [/\/veo\d/, veo],
  [
    /\/luma-dream-machine/,
    {
      ...anyApp,
      paths: withoutReferences,
      writeSeconds: withUnit,
      resolutions: ['540p', '720p', '1080p'],
      ratios: [...upright, '4:3', '3:4', '21:9', '9:21'],
    },
  ],
  [/\/sora-2/, { ...anyApp, paths: framesOnly, writeSeconds: asNumber, ratios: upright }],
  [/\/kling-video\/o\d/, { ...kling, paths: anyApp.paths }],
  [/\/kling-video\/v(?:2\.6|3)/, kling],
  [/\/kling-video/, { ...kling, fields: { ...anyApp.fields, last: 'tail_image_url' } }],
  [/\/minimax\/hailuo-02\/standard/, { ...hailuo, resolutions: ['512p', '768p'] }],
  [/\/minimax/, hailuo],
  [
    /\/seedance\/v1\.5/,
    { ...anyApp, paths: withoutReferences, resolutions: ['480p', '720p', '1080p'], ratios: [...fiveRatios, '21:9'] },
  ],
  [
    /\/wan\/v2\.[7-9]/,
    { ...anyApp, fields: references, writeSeconds: asNumber, resolutions: ['720p', '1080p'], ratios: fiveRatios },
  ],
  [
    /\/ltx/,
    { ...anyApp, paths: framesOnly, writeSeconds: asNumber, resolutions: ['1080p', '1440p', '2160p'], ratios: [] },
  ],
  [
    /\/grok-imagine/,
    {
      ...anyApp,
      paths: withoutKeyframes,
      fields: references,
      writeSeconds: asNumber,
      resolutions: ['480p', '720p'],
      ratios: [...fiveRatios, '3:2', '2:3'],
    },
  ],
]
