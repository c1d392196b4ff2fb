import type { VideoTask, VideoTaskKind } from '#domain/video/video-task.ts'
import type { JsonObject, JsonValue } from '#lib/json.ts'
import type { MediaTarget } from '#providers/codecs/target.ts'

/** How one of Luma's two APIs differs from the other. */
export interface LumaApi {
  readonly tasks: readonly VideoTaskKind[]
  readonly host: string
  readonly prefix: string
  /** Length of the video. */
  readonly seconds: (task: VideoTask, target: MediaTarget) => number
  readonly orderOf: (task: VideoTask, target: MediaTarget) => { readonly path: string; readonly body: JsonObject }
  /** The state of a generation, in the words of both APIs. */
  readonly statusOf: (generation: JsonObject) => JsonValue | undefined
  readonly linksOf: (generation: JsonObject) => readonly (JsonValue | undefined)[]
}

/** The target with the API's own base URL. An operator's other base URL has both, each below its own prefix. */
export function lumaTarget(target: MediaTarget, { host, prefix }: LumaApi): MediaTarget {
  const url = new URL(target.baseUrl)
  if (url.hostname.endsWith('.lumalabs.ai')) return { ...target, baseUrl: `https://${host}${prefix}` }
  const mount = url.pathname.replace(/(?:\/dream-machine)?\/v1\/*$/, '').replace(/\/+$/, '')
  return { ...target, baseUrl: url.origin + mount + prefix }
}
