import type { VideoTask } from '#domain/video/video-task.ts'
import type { MediaTarget } from '../target.ts'
import { unsupported } from './refuse-task.ts'

/**
 * The seconds that a host is asked for: those of the order, or the next longer that it makes. Only orders for models
 * whose limits the catalogue does not know differ, and they are charged by what is made. The operator may know better
 * than the table.
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

/** Of hosts without a table the order says the seconds; those that the operator does not name are refused. */
export function refuseOtherSeconds({ task, durationS }: VideoTask, host: string, { forms }: MediaTarget): void {
  const made = forms?.durations
  if (task === 'video_edit' || made === undefined || made.includes(durationS)) return
  throw unsupported(`${host} supports durations of ${made.join(', ')} seconds, not ${durationS}.`)
}
