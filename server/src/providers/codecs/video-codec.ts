import type { Usage } from '#domain/inference/usage.ts'
import type { VideoOutput } from '#domain/video/video-job.ts'
import type { VideoTask, VideoTaskKind } from '#domain/video/video-task.ts'
import type { JsonObject } from '#lib/json.ts'
import type { ExchangeScript, MediaRequest } from './exchange-script.ts'
import type { MediaTarget } from './target.ts'

/** How an upstream creates videos: it accepts a job, is polled, and then has files to fetch. */
export interface VideoCodec {
  /** The tasks that the upstream supports, for any model. A model's own limits are in the catalogue. */
  readonly tasks: readonly VideoTaskKind[]
  /** The tasks that one of its models supports. Absent if all models support all tasks. */
  tasksFor?(upstreamModel: string): readonly VideoTaskKind[]
  /** Pause between two polls, at least eight seconds. */
  readonly rhythmMs?: number
  /**
   * Returns the data for polling: plain JSON, stored with the job. `name` is unique for this submit, and is passed to
   * upstreams that store a client's name. Throws a GatewayError before the first step for a task that this upstream
   * does not support.
   */
  submit(task: VideoTask, target: MediaTarget, name: string): ExchangeScript<JsonObject>
  /** Looks up whether a submit with that name arrived. Absent if the upstream cannot tell. */
  find?(name: string, target: MediaTarget, task: VideoTask): ExchangeScript<JsonObject | null>
  poll(reference: JsonObject, target: MediaTarget, task: VideoTask): ExchangeScript<VideoProgress>
  /** Fetches the bytes of an output that a response contains. */
  bring?(index: number, reference: JsonObject, target: MediaTarget): ExchangeScript<Buffer>
  /** The request for an output whose URL alone is not enough to fetch it. Undefined if the URL is enough. */
  download?(output: VideoOutput, target: MediaTarget): MediaRequest | undefined
}

/** The tasks that an upstream supports with a model. */
export function tasksOf(
  codec: Pick<VideoCodec, 'tasks' | 'tasksFor'>,
  upstreamModel: string,
): readonly VideoTaskKind[] {
  return codec.tasksFor?.(upstreamModel) ?? codec.tasks
}

export type VideoProgress =
  | { readonly kind: 'working'; readonly status: 'pending' | 'in_progress' }
  | { readonly kind: 'made'; readonly outputs: readonly VideoOutput[]; readonly usage: Usage }
  /** `message` is for the client; `isModerated` if the content was rejected. */
  | { readonly kind: 'failed'; readonly message: string; readonly isModerated?: boolean }
