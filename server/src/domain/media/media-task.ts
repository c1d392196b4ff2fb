import type { JsonObject } from '#lib/json.ts'
import type { VideoTask } from '#domain/video/video-task.ts'
import type { MediaFile } from './media-file.ts'

/** The task of a media endpoint in canonical form, shared by dialects and codecs. */
export type MediaTask =
  | EmbeddingTask
  | ImageTask
  | ModerationTask
  | RealtimeTask
  | RerankTask
  | SpeechTask
  | TranscriptionTask
  | TranslationTask
  | VideoTask

/** An image or a text for a model: a file, base64 from a body, or a URL. */
export type MediaInput =
  | { readonly kind: 'file'; readonly file: MediaFile }
  | { readonly kind: 'data'; readonly mediaType: string; readonly base64: string }
  | { readonly kind: 'url'; readonly url: string }

export interface EmbeddingTask {
  readonly kind: 'embedding'
  /** Each input gives one vector, in this order. */
  readonly inputs: readonly EmbeddingInput[]
  readonly dimensions: number | null
  /** The requested vector encoding, as sent: float, base64, or one that an upstream may know; null means float. */
  readonly encoding: string | null
  /** Fields without a canonical place, as sent, for upstreams that know them. */
  readonly extras: JsonObject
}

export type EmbeddingInput =
  | { readonly kind: 'text'; readonly text: string }
  /** Token ids of a tokenizer that only the model's own providers know. */
  | { readonly kind: 'tokens'; readonly tokens: readonly number[] }
  | { readonly kind: 'parts'; readonly parts: readonly EmbeddingPart[] }

export type EmbeddingPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'image'; readonly image: MediaInput }

export interface RerankTask {
  readonly kind: 'rerank'
  readonly query: string
  readonly documents: readonly string[]
  /** The number of results; null for all documents. */
  readonly top: number | null
  /** Tokens after which an upstream cuts each document; null leaves it to the model. */
  readonly documentTokensMax: number | null
  /** Whether each result repeats its document. */
  readonly returnsDocuments: boolean
  /** As sent, for upstreams that know them. */
  readonly extras: JsonObject
}

export interface ModerationTask {
  readonly kind: 'moderation'
  /** Each input is judged on its own. */
  readonly inputs: readonly (readonly ModerationPart[])[]
}

export type ModerationPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'image'; readonly image: MediaInput }

/** One response of a realtime session. */
export interface RealtimeTask {
  readonly kind: 'realtime'
  /** The most that the session can have put into the context; null for a context that may be full. */
  readonly inputTokensMax: number | null
  /** The client's output cap; null for the model's own. */
  readonly outputTokensMax: number | null
}

export interface ImageTask {
  readonly kind: 'image'
  readonly prompt: string
  readonly count: number
  /** The requested size in pixels; null leaves it to the model. */
  readonly size: ImageSize | null
  /** For example `16:9`, if the client sent a ratio instead of a size. */
  readonly aspectRatio: string | null
  /** As sent: low, medium, high, hd… */
  readonly quality: string | null
  /** Input images; empty if the image is made from text alone. */
  readonly inputs: readonly MediaInput[]
  /** As sent. A resolution such as `2K` is in `resolution`, and a provider-specific size in `size`. */
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
  /** The timings that the response shows; an upstream that does not support them returns none. */
  readonly wants: { readonly segments: boolean; readonly words: boolean }
  readonly extras: JsonObject
}

/** The words of a recording in English. */
export interface TranslationTask extends Pick<TranscriptionTask, 'audio' | 'prompt' | 'temperature' | 'wants'> {
  readonly kind: 'translation'
}
