import type { Video } from '../../api/videos.ts'
import type { ExactNumber } from '../../lib/money.ts'

/** Converts a job's timestamp, in whole Unix seconds. */
export function isoOf(seconds: ExactNumber): string {
  return new Date(Number(seconds) * 1_000).toISOString()
}

/** The time from order to completion: `42 s`, `3 min 5 s`, or a dash while it is running. */
export function lengthInWords({ created_at, completed_at }: Pick<Video, 'created_at' | 'completed_at'>): string {
  if (completed_at === undefined) return '–'
  const seconds = Number(completed_at) - Number(created_at)
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}
