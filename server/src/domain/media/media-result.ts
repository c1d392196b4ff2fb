import type { Usage } from '#domain/inference/usage.ts'
import type { Vector } from './float-vectors.ts'
import type { JsonObject } from '#lib/json.ts'

/** What an upstream made, in canonical form. Speech is not here: its bytes are passed on as they come. */
export type MediaResult = EmbeddingResult | ImageResult | TranscriptionResult

export interface EmbeddingResult {
  readonly kind: 'embedding'
  /** In the order of the inputs: numbers, or little-endian 32-bit floats as base64, as the upstream sent them. */
  readonly vectors: readonly Vector[]
  /** Null when the upstream counted nothing. */
  readonly usage: Usage | null
}

export interface ImageResult {
  readonly kind: 'image'
  readonly images: readonly MadeImage[]
  /** What the model said beside its images. */
  readonly text: string | null
  readonly usage: Usage | null
}

/** An image as its upstream gives it away. */
export type MadeImage =
  | { readonly kind: 'base64'; readonly base64: string }
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'url'; readonly url: string }

/** An image that clients can fetch from us. */
export interface HostedImage {
  /** Under `/v1/images/proxy/`, absolute. */
  readonly url: string
  /** Where the upstream keeps it, for as long as it does; null where it sent the bytes. */
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

/** A stretch of speech. */
export interface Spoken {
  readonly text: string
  readonly startS: number
  readonly endS: number
  /** What else the upstream says of it, as sent. */
  readonly details?: JsonObject
}
