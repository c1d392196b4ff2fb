import type { Usage } from '#domain/inference/usage.ts'
import type { Vector } from './float-vectors.ts'
import type { JsonObject } from '#lib/json.ts'

/** The output of an upstream in canonical form. Speech is not included, because its bytes are passed through. */
export type MediaResult = EmbeddingResult | ImageResult | ModerationResult | RerankResult | TranscriptionResult

export interface EmbeddingResult {
  readonly kind: 'embedding'
  /** In the order of the inputs: numbers, or base64 of little-endian 32-bit floats, as the upstream sent them. */
  readonly vectors: readonly Vector[]
  /** Null if the upstream reported none. */
  readonly usage: Usage | null
}

export interface ModerationResult {
  readonly kind: 'moderation'
  /** In the order of the inputs. */
  readonly verdicts: readonly Verdict[]
  readonly usage: Usage | null
}

export interface Verdict {
  readonly isFlagged: boolean
  /** By the names of the upstream, as sent. */
  readonly categories: JsonObject
  readonly scores: JsonObject
  /** The kinds of input that each category was found in; null if the upstream does not say. */
  readonly inputTypes: JsonObject | null
}

export interface RerankResult {
  readonly kind: 'rerank'
  /** The most relevant document first. */
  readonly scores: readonly DocumentScore[]
  readonly usage: Usage | null
}

export interface DocumentScore {
  /** Position of the document in the request. */
  readonly index: number
  readonly score: number
}

export interface ImageResult {
  readonly kind: 'image'
  readonly images: readonly MadeImage[]
  /** The text that the model returned besides its images. */
  readonly text: string | null
  readonly usage: Usage | null
}

/** An image as its upstream returns it. */
export type MadeImage =
  | { readonly kind: 'base64'; readonly base64: string }
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'url'; readonly url: string }

/** An image that clients can fetch from the gateway. */
export interface HostedImage {
  /** An absolute URL under `/v1/images/proxy/`. */
  readonly url: string
  /** The upstream's URL, which may expire; null if it sent the bytes. */
  readonly upstreamUrl: string | null
}

export interface TranscriptionResult {
  readonly kind: 'transcription'
  readonly text: string
  readonly language: string | null
  readonly durationS: number | null
  readonly segments: readonly Spoken[] | null
  readonly words: readonly Spoken[] | null
  readonly usage: Usage | null
}

/** A timed section of speech. */
export interface Spoken {
  readonly text: string
  readonly startS: number
  readonly endS: number
  /** Other fields of the upstream, as sent. */
  readonly details?: JsonObject
}
