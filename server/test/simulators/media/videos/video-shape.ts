import type { JsonObject } from '#lib/json.ts'
import type { MediaAnswer, MediaCall } from '#test/simulators/start-media-upstream.ts'

/** A host's own words for what every host of videos does. */
export interface VideoShape {
  readonly vendor: string
  /** What its address ends in. */
  readonly basePath: string
  isAuthorized(call: MediaCall, key: string): boolean
  /** What a request is about; null for what the host does not know. */
  recognise(call: MediaCall): VideoRequest | null | Promise<VideoRequest | null>
  accepted(order: ShownOrder): MediaAnswer
  progress(order: ShownOrder, stage: VideoStage): MediaAnswer
  /** What was made, at hosts that tell it in an answer of its own. */
  result?(order: ShownOrder, stage: VideoStage): MediaAnswer
  refused(why: RefusalKind): MediaAnswer
  /** Whoever asks for a file with the key is led to a link that anybody can fetch. */
  readonly filesLeadElsewhere?: true
}

export type VideoRequest =
  | { readonly kind: 'submit'; readonly name: string | null; readonly prompt: string }
  /** By its id, or by its name at hosts that keep one. */
  | { readonly kind: 'poll'; readonly id: string }
  /** For what came of it, which is no poll. */
  | { readonly kind: 'result'; readonly id: string }
  | { readonly kind: 'file'; readonly id: string; readonly index: number }

export interface ShownOrder {
  readonly id: string
  readonly name: string | null
  readonly path: string
  readonly body: JsonObject
  /** Links that anybody can fetch, as many as videos were made. */
  readonly links: readonly string[]
  /** What each of them is, for hosts that send videos in their answers. */
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

/** The path of a call without its query. */
export function pathOf({ path }: MediaCall): string {
  return path.split('?')[0] ?? ''
}

export function textIn(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
