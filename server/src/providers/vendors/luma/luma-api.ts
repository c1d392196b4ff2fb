import type { VideoTask, VideoTaskKind } from '#domain/video/video-task.ts'
import type { JsonObject, JsonValue } from '#lib/json.ts'
import type { MediaTarget } from '#providers/codecs/target.ts'

/** How one of Luma's two surfaces differs from the other. */
export interface LumaApi {
  readonly tasks: readonly VideoTaskKind[]
  readonly host: string
  readonly prefix: string
  /** How long a video becomes. */
  readonly seconds: (task: VideoTask, target: MediaTarget) => number
  readonly orderOf: (task: VideoTask, target: MediaTarget) => { readonly path: string; readonly body: JsonObject }
  /** Its states in the words of both. */
  readonly statusOf: (generation: JsonObject) => JsonValue | undefined
  readonly linksOf: (generation: JsonObject) => readonly (JsonValue | undefined)[]
}

/** The target with the surface's own address. An operator's other address has both, each below its own prefix. */
export function lumaTarget(target: MediaTarget, { host, prefix }: LumaApi): MediaTarget {
  const url = new URL(target.baseUrl)
  if (url.hostname.endsWith('.lumalabs.ai')) return { ...target, baseUrl: `https://${host}${prefix}` }
  const mount = url.pathname.replace(/(?:\/dream-machine)?\/v1\/*$/, '').replace(/\/+$/, '')
  return { ...target, baseUrl: url.origin + mount + prefix }
}
