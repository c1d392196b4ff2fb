import type { UsageClasses } from '#domain/inference/usage.ts'
import type { EmbeddingResult, ImageResult, TranscriptionResult } from '#domain/media/media-result.ts'
import type { EmbeddingTask, ImageTask, SpeechTask, TranscriptionTask } from '#domain/media/media-task.ts'
import type { ResponseHeaders, UpstreamRefusal } from '../refusal.ts'
import type { ExchangeScript, MediaRequest } from './exchange-script.ts'
import type { MediaTarget } from './target.ts'
import type { VideoCodec } from './video-codec.ts'

/**
 * What a vendor can make beside conversations, each by its own codec. A codec throws a GatewayError for a task that
 * this host cannot be asked (another may take it), and a fault for what the host does wrong.
 */
export interface MediaCodecs {
  readonly embedding?: MediaCodec<EmbeddingTask, EmbeddingResult>
  readonly image?: ImageCodec
  readonly transcription?: MediaCodec<TranscriptionTask, TranscriptionResult>
  readonly speech?: SpeechCodec
  readonly video?: VideoCodec
}

export interface MediaCodec<Task, Result> {
  /** Fields of the client that this host is not told. */
  ignored?(task: Task, target: MediaTarget): readonly string[]
  converse(task: Task, target: MediaTarget): ExchangeScript<Result>
}

/** A model can generate images from text only, or from other images too. */
export interface ImageCodec extends MediaCodec<ImageTask, ImageResult> {
  /** Set if no model of this provider accepts input images. */
  readonly takesInputs?: false
}

/** Speech is one request whose answer is passed on byte by byte. */
export interface SpeechCodec {
  /** Fields of the client that this host is not told. */
  ignored?(task: SpeechTask, target: MediaTarget): readonly string[]
  buildRequest(task: SpeechTask, target: MediaTarget): MediaRequest
  /** The media type of what comes, where the upstream does not say it well itself. */
  contentTypeFor?(task: SpeechTask): string
  /**
   * What an answer says that is a document; undefined where it holds no audio. Absent where the answer is the audio.
   */
  readDocument?(document: Buffer, task: SpeechTask): SpokenDocument | undefined
  /** Set where every answer counts the tokens of its text and its sound, so that it can be charged by them. */
  readonly countsTokens?: true
  readFailure(status: number, headers: ResponseHeaders, bodyText: string): UpstreamRefusal
}

export interface SpokenDocument {
  readonly audio: Buffer
  /** Absent where speech is counted in characters alone; null where the upstream should have counted and did not. */
  readonly usage?: UsageClasses | null
}
