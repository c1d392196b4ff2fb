import type { Usage } from '#domain/inference/usage.ts'
import type { VideoOutput } from '#domain/video/video-job.ts'
import type { VideoTask, VideoTaskKind } from '#domain/video/video-task.ts'
import type { JsonObject } from '#lib/json.ts'
import type { ExchangeScript, MediaRequest } from './exchange-script.ts'
import type { MediaTarget } from './target.ts'

/** How a host makes videos: it takes an order, is asked again and again, and at last has something to fetch. */
export interface VideoCodec {
  /** What it can make of all, whatever the model; a model's own limits are in the catalogue. */
  readonly tasks: readonly VideoTaskKind[]
  /** Of those, what it makes with one of its models; absent where all of them make all. */
  tasksFor?(upstreamModel: string): readonly VideoTaskKind[]
  /** How long to leave it alone between two questions; never under eight seconds. */
  readonly rhythmMs?: number
  /**
   * Gives what it takes to ask again: plain JSON, stored with the job. `name` is ours and unique for this submit; hosts
   * that keep a name of their client's are given it. Throws a GatewayError for what this host cannot be asked, before
   * the first step.
   */
  submit(task: VideoTask, target: MediaTarget, name: string): ExchangeScript<JsonObject>
  /** Asks whether a submit of that name arrived; absent where the host cannot tell. */
  find?(name: string, target: MediaTarget, task: VideoTask): ExchangeScript<JsonObject | null>
  poll(reference: JsonObject, target: MediaTarget, task: VideoTask): ExchangeScript<VideoProgress>
  /** Brings the bytes of an output that an answer holds. */
  bring?(index: number, reference: JsonObject, target: MediaTarget): ExchangeScript<Buffer>
  /** How an output is fetched that takes more than its address; undefined where that is enough. */
  download?(output: VideoOutput, target: MediaTarget): MediaRequest | undefined
}

/** What a host makes with a model. */
export function tasksOf(
  codec: Pick<VideoCodec, 'tasks' | 'tasksFor'>,
  upstreamModel: string,
): readonly VideoTaskKind[] {
  return codec.tasksFor?.(upstreamModel) ?? codec.tasks
}

export type VideoProgress =
  | { readonly kind: 'working'; readonly status: 'pending' | 'in_progress' }
  | { readonly kind: 'made'; readonly outputs: readonly VideoOutput[]; readonly usage: Usage }
  /** `message` is for the client; `isModerated` where the content was refused. */
  | { readonly kind: 'failed'; readonly message: string; readonly isModerated?: boolean }
