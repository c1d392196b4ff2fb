import type { VideoTask } from '#domain/video/video-task.ts'
import { unsupported } from './refuse-task.ts'

/**
 * The seconds that a host is asked for: those of the order, or the next longer that it makes. Only orders for models whose limits
 * the catalogue does not know differ, and they are charged by what is made.
 */
export function hostDuration({ durationS }: VideoTask, host: string, made: readonly number[]): number {
  const fitting = made.filter((seconds) => seconds >= durationS)
  if (fitting.length > 0) return Math.min(...fitting)
  throw unsupported(`${host} makes videos of ${made.join(', ')} seconds, not ${durationS}.`)
}

/** Every whole second from one to another. */
export function secondsFromTo(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}
