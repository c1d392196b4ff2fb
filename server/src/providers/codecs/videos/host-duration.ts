import type { VideoTask } from '#domain/video/video-task.ts'
import type { MediaTarget } from '../target.ts'
import { unsupported } from './refuse-task.ts'

/**
 * The length to request from an upstream, in seconds: the requested length, or the next longer one that the upstream
 * supports. They differ only for models whose limits the catalogue does not know, and those are charged by the result.
 * The operator may correct the table.
 */
export function hostDuration(
  { durationS }: VideoTask,
  host: string,
  table: readonly number[],
  { forms }: Pick<MediaTarget, 'forms'>,
): number {
  const made = forms?.durations ?? table
  const fitting = made.filter((seconds) => seconds >= durationS)
  if (fitting.length > 0) return Math.min(...fitting)
  throw unsupported(`${host} supports durations of ${made.join(', ')} seconds, not ${durationS}.`)
}

/** Every whole second from one to another. */
export function secondsFromTo(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

/** For upstreams without a table the request sets the length. Lengths that the operator does not list are rejected. */
export function refuseOtherSeconds({ task, durationS }: VideoTask, host: string, { forms }: MediaTarget): void {
  const made = forms?.durations
  if (task === 'video_edit' || made === undefined || made.includes(durationS)) return
  throw unsupported(`${host} supports durations of ${made.join(', ')} seconds, not ${durationS}.`)
}
