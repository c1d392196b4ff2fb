import type { EmbeddingResult, ImageResult, TranscriptionResult } from '#domain/media/media-result.ts'
import type { EmbeddingTask, ImageTask, SpeechTask, TranscriptionTask } from '#domain/media/media-task.ts'
import type { ResponseHeaders, UpstreamRefusal } from '../refusal.ts'
import type { ExchangeScript, MediaRequest } from './exchange-script.ts'
import type { MediaTarget } from './target.ts'
import type { VideoCodec } from './video-codec.ts'

/**
 * What a vendor can make beside conversations, each by its own codec. A codec throws a GatewayError for a task that this host can
 * not be asked (another may take it), and a fault for what the host does wrong.
 */
export interface MediaCodecs {
  readonly embedding?: MediaCodec<EmbeddingTask, EmbeddingResult>
  readonly image?: MediaCodec<ImageTask, ImageResult>
  readonly transcription?: MediaCodec<TranscriptionTask, TranscriptionResult>
  readonly speech?: SpeechCodec
  readonly video?: VideoCodec
}

export interface MediaCodec<Task, Result> {
  /** Fields of the client that this host is not told. */
  ignored?(task: Task, target: MediaTarget): readonly string[]
  converse(task: Task, target: MediaTarget): ExchangeScript<Result>
}

/** Speech is one request whose answer is passed on byte by byte. */
export interface SpeechCodec {
  /** Fields of the client that this host is not told. */
  ignored?(task: SpeechTask, target: MediaTarget): readonly string[]
  buildRequest(task: SpeechTask, target: MediaTarget): MediaRequest
  /** The media type of what comes, where the upstream does not say it well itself. */
  contentTypeFor?(task: SpeechTask): string
  /** The audio in an answer that is a document; undefined where it holds none. Absent where the answer is the audio. */
  readAudio?(document: Buffer): Buffer | undefined
  readFailure(status: number, headers: ResponseHeaders, bodyText: string): UpstreamRefusal
}
