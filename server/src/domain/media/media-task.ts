import type { JsonObject } from '#lib/json.ts'
import type { VideoTask } from '#domain/video/video-task.ts'
import type { MediaFile } from './media-file.ts'

/** What a media endpoint is asked to make, in canonical form: clients' bodies and upstreams' codecs meet here. */
export type MediaTask = EmbeddingTask | ImageTask | SpeechTask | TranscriptionTask | VideoTask

/** An image or a text given to a model: as bytes we have, as base64 that came in a body, or as an address. */
export type MediaInput =
  | { readonly kind: 'file'; readonly file: MediaFile }
  | { readonly kind: 'data'; readonly mediaType: string; readonly base64: string }
  | { readonly kind: 'url'; readonly url: string }

export interface EmbeddingTask {
  readonly kind: 'embedding'
  /** One vector is made of each, in this order. */
  readonly inputs: readonly EmbeddingInput[]
  readonly dimensions: number | null
  /**
   * How the client wants its vectors, as sent: float, base64, and whatever an upstream may know besides; null is float.
   */
  readonly encoding: string | null
  /** Fields without a place here, as sent, for upstreams that know them. */
  readonly extras: JsonObject
}

export type EmbeddingInput =
  | { readonly kind: 'text'; readonly text: string }
  /** Token ids of a vocabulary that only the model's own hosts know. */
  | { readonly kind: 'tokens'; readonly tokens: readonly number[] }
  | { readonly kind: 'parts'; readonly parts: readonly EmbeddingPart[] }

export type EmbeddingPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'image'; readonly image: MediaInput }

export interface ImageTask {
  readonly kind: 'image'
  readonly prompt: string
  readonly count: number
  /** As asked for, in pixels; null leaves it to the model. */
  readonly size: ImageSize | null
  /** Such as `16:9`, where the client said that instead of a size. */
  readonly aspectRatio: string | null
  /** As sent: low, medium, high, hd… */
  readonly quality: string | null
  /** Images to start from; none where one is made from words alone. */
  readonly inputs: readonly MediaInput[]
  /** As sent. A resolution such as `2K` is in `resolution`, and a size that is a word of some host's own in `size`. */
  readonly extras: JsonObject
}

export interface ImageSize {
  readonly width: number
  readonly height: number
}

export interface SpeechTask {
  readonly kind: 'speech'
  readonly input: string
  readonly voice: string
  /** As sent: mp3, wav, opus, aac, flac, pcm; null leaves it to the model. */
  readonly format: string | null
  readonly speed: number | null
  readonly extras: JsonObject
}

export interface TranscriptionTask {
  readonly kind: 'transcription'
  readonly audio: MediaFile
  readonly language: string | null
  readonly prompt: string | null
  readonly temperature: number | null
  /** Which timings the answer will show; an upstream that cannot give them gives none. */
  readonly wants: { readonly segments: boolean; readonly words: boolean }
  readonly extras: JsonObject
}
