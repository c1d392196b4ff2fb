import type { VideoTaskKind } from '#domain/video/video-task.ts'

/** How one family of apps wants to be asked for a video; each app has a schema of its own. */
export interface VideoAppTraits {
  /** What follows the app's name for a task; a kind without a path is not made. */
  readonly paths: Readonly<Partial<Record<VideoTaskKind, string>>>
  readonly fields: VideoFields
  readonly writeSeconds: (seconds: number) => string | number
  readonly writeResolution: (resolution: string) => string
}

export interface VideoFields {
  readonly first: string
  /** Names of both frames where both are given. */
  readonly firstOfTwo: string
  readonly last: string
  readonly references: string
}

export function videoAppTraitsOf(app: string): VideoAppTraits {
  const traits = families.find(([form]) => form.test(app))?.[1] ?? anyApp
  const stated = statedPaths.find((path) => app.includes(path))
  if (stated === undefined) return traits
  // Whoever names a path other than that for words means it, and nothing else.
  if (stated === '/video-to-video') return { ...traits, paths: { video_edit: '' } }
  const kinds = Object.entries(traits.paths).filter(([, path]) => path === stated)
  return { ...traits, paths: Object.fromEntries(kinds.map(([kind]) => [kind, ''])) }
}

const statedPaths = ['/image-to-video', '/first-last-frame-to-video', '/reference-to-video', '/video-to-video']

/** The app without the path for words, to which others' paths are added. */
export function appForTask(app: string, path: string): string {
  return path === '' ? app : app.replace(/\/text-to-video$/, '') + path
}

const asText = (seconds: number): string => String(seconds)
const withUnit = (seconds: number): string => `${seconds}s`
const asNumber = (seconds: number): number => seconds
const asItIs = (resolution: string): string => resolution

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
}

const kling2Fields = { ...anyApp.fields, last: 'tail_image_url' }
const kling3Fields = { ...anyApp.fields, first: 'start_image_url', firstOfTwo: 'start_image_url' }

const families: readonly (readonly [RegExp, VideoAppTraits])[] = [
  [
    /\/veo\d/,
    {
      ...anyApp,
      paths: { ...anyApp.paths, keyframes: '/first-last-frame-to-video' },
      fields: { ...anyApp.fields, firstOfTwo: 'first_frame_url', last: 'last_frame_url' },
      writeSeconds: withUnit,
    },
  ],
  [/\/luma-dream-machine/, { ...anyApp, writeSeconds: withUnit }],
  [/\/sora-2/, { ...anyApp, paths: withoutKeyframes(anyApp.paths), writeSeconds: asNumber }],
  [/\/kling-video\/(?:v3|o3)/, { ...anyApp, fields: kling3Fields }],
  [/\/kling-video/, { ...anyApp, fields: kling2Fields }],
  [/\/minimax/, { ...anyApp, writeResolution: (resolution) => resolution.toUpperCase() }],
  [/\/wan\/v2\.[7-9]|\/ltx|\/grok-imagine/, { ...anyApp, writeSeconds: asNumber }],
]

function withoutKeyframes({ keyframes: _, ...paths }: VideoAppTraits['paths']): VideoAppTraits['paths'] {
  return paths
}
