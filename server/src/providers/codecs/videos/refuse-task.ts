import type { VideoTask, VideoTaskKind } from '#domain/video/video-task.ts'
import { GatewayError } from '#errors/gateway-error.ts'

/** Rejects tasks that this upstream would reject. Another upstream may accept them. */
export function refuseOtherTasks({ task }: VideoTask, host: string, taken: readonly VideoTaskKind[]): void {
  if (!taken.includes(task))
    throw unsupported(`${host} does not support ${task} with this model. Supported: ${taken.join(', ')}.`)
}

/** The first frame, for upstreams that accept a last frame only together with a first. */
export function firstFrameOf({ firstFrame }: VideoTask, host: string): string {
  if (firstFrame !== null) return firstFrame
  throw unsupported(`${host} accepts a last frame only together with a first frame.`)
}

export function refuseMoreReferences({ references }: VideoTask, host: string, most: number): void {
  if (references.length > most) throw unsupported(`${host} accepts at most ${most} reference images.`)
}

export function unsupported(message: string): GatewayError {
  return new GatewayError('unsupportedParam', { message })
}
