import { windowStart } from './window.ts'

/** The first day of the month in UTC, as in `2027-01-01`. */
export function monthStartOf(nowMs: number): string {
  return new Date(windowStart('month', nowMs)).toISOString().slice(0, 10)
}
