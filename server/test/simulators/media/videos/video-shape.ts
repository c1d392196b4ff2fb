import type { JsonObject } from '#lib/json.ts'
import type { MediaAnswer, MediaCall } from '#test/simulators/start-media-upstream.ts'

/** A host's own wire format for the common video operations. */
export interface VideoShape {
  readonly vendor: string
  /** The path of its base URL. */
  readonly basePath: string
  isAuthorized(call: MediaCall, key: string): boolean
  /** The kind of a request, or null if the host does not know it. */
  recognise(call: MediaCall): VideoRequest | null | Promise<VideoRequest | null>
  accepted(order: ShownOrder): MediaAnswer
  progress(order: ShownOrder, stage: VideoStage): MediaAnswer
  /** The finished result, at hosts with a separate response for it. */
  result?(order: ShownOrder, stage: VideoStage): MediaAnswer
  refused(why: RefusalKind): MediaAnswer
  /** A file request with the key redirects to a public link. */
  readonly filesLeadElsewhere?: true
}

export type VideoRequest =
  | { readonly kind: 'submit'; readonly name: string | null; readonly prompt: string }
  /** By its id, or by its name at hosts that keep one. */
  | { readonly kind: 'poll'; readonly id: string }
  /** A request for the result, which is no poll. */
  | { readonly kind: 'result'; readonly id: string }
  | { readonly kind: 'file'; readonly id: string; readonly index: number }

export interface ShownOrder {
  readonly id: string
  readonly name: string | null
  readonly path: string
  readonly body: JsonObject
  /** Public links, one per generated video. */
  readonly links: readonly string[]
  /** Returns the bytes of a video, for hosts that send videos in their responses. */
  readonly movie: () => Buffer
  /** The address of the host, without its base path. */
  readonly origin: string
  readonly failure: string
}

export type VideoStage = 'pending' | 'working' | 'made' | 'failed' | 'moderated' | 'odd'

export type RefusalKind = 'failing' | 'limited' | 'invalid' | 'missing' | 'unauthorized'

/** Statuses of most hosts. */
export const refusalStatus: Readonly<Record<RefusalKind, number>> = {
  failing: 503,
  limited: 429,
  invalid: 400,
  missing: 404,
  unauthorized: 401,
}

export function showsBearer({ headers }: MediaCall, key: string): boolean {
  return headers.authorization === `Bearer ${key}`
}

/** The path of a request without its query. */
export function pathOf({ path }: MediaCall): string {
  return path.split('?')[0] ?? ''
}

export function textIn(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
