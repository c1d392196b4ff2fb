import type { UsageClasses } from '#domain/inference/usage.ts'
import type {
  EmbeddingResult,
  ImageResult,
  ModerationResult,
  RerankResult,
  TranscriptionResult,
} from '#domain/media/media-result.ts'
import type {
  EmbeddingTask,
  ImageTask,
  ModerationTask,
  RerankTask,
  SpeechTask,
  TranscriptionTask,
  TranslationTask,
} from '#domain/media/media-task.ts'
import type { ResponseHeaders, UpstreamRefusal } from '../refusal.ts'
import type { ExchangeScript, MediaRequest } from './exchange-script.ts'
import type { MediaTarget } from './target.ts'
import type { VideoCodec } from './video-codec.ts'

/**
 * The media that a vendor offers besides conversations, each with its own codec. A codec throws a GatewayError for a
 * task that this upstream does not support (another may), and a fault if the upstream misbehaves.
 */
export interface MediaCodecs {
  readonly embedding?: MediaCodec<EmbeddingTask, EmbeddingResult>
  readonly image?: ImageCodec
  readonly moderation?: ModerationCodec
  readonly rerank?: RerankCodec
  readonly transcription?: MediaCodec<TranscriptionTask, TranscriptionResult>
  readonly translation?: MediaCodec<TranslationTask, TranscriptionResult>
  readonly speech?: SpeechCodec
  readonly video?: VideoCodec
}

export interface MediaCodec<Task, Result> {
  /** Client fields that are not sent to this upstream. */
  ignored?(task: Task, target: MediaTarget): readonly string[]
  converse(task: Task, target: MediaTarget): ExchangeScript<Result>
}

/** A model that judges texts and images. */
export interface ModerationCodec extends MediaCodec<ModerationTask, ModerationResult> {
  /** Set if responses count no tokens, so that only models without a price can be used. */
  readonly countsTokens?: false
}

/** A model that orders documents by their relevance to a query. */
export interface RerankCodec extends MediaCodec<RerankTask, RerankResult> {
  /** Set if responses count search units only, so that a price of tokens cannot be charged. */
  readonly countsTokens?: false
}

/** A model that generates images from text only, or also from other images. */
export interface ImageCodec extends MediaCodec<ImageTask, ImageResult> {
  /** Set if no model of this provider accepts input images. */
  readonly takesInputs?: false
}

/** Speech is one request whose response is passed on byte by byte. */
export interface SpeechCodec {
  /** Client fields that are not sent to this upstream. */
  ignored?(task: SpeechTask, target: MediaTarget): readonly string[]
  buildRequest(task: SpeechTask, target: MediaTarget): MediaRequest
  /** The media type of the response, if the upstream does not state it correctly. */
  contentTypeFor?(task: SpeechTask): string
  /**
   * The content of a response document, or undefined if it has no audio. Absent if the response itself is the audio.
   */
  readDocument?(document: Buffer, task: SpeechTask): SpokenDocument | undefined
  /** Set if every response counts the tokens of its text and its audio, so that it can be charged by them. */
  readonly countsTokens?: true
  readFailure(status: number, headers: ResponseHeaders, bodyText: string): UpstreamRefusal
}

export interface SpokenDocument {
  readonly audio: Buffer
  /** Absent if speech is charged by characters only. Null if the upstream should have counted tokens and did not. */
  readonly usage?: UsageClasses | null
}
