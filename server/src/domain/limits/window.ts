/** Periods come from the UTC clock alone, and a period's start is part of its counter's key: nothing is ever reset. */
export type WindowLength = 'minute' | 'hour' | 'day' | 'week' | 'month' | 'life'

const minuteMs = 60_000
const hourMs = 3_600_000
const dayMs = 86_400_000

export function windowStart(length: WindowLength, nowMs: number): number {
  switch (length) {
    case 'minute':
      return nowMs - (nowMs % minuteMs)
    case 'hour':
      return nowMs - (nowMs % hourMs)
    case 'day':
      return nowMs - (nowMs % dayMs)
    case 'week': {
      // Weeks start on Monday; 1 January 1970 was a Thursday.
      const day = Math.floor(nowMs / dayMs)
      return (day - ((day + 3) % 7)) * dayMs
    }
    case 'month': {
      const now = new Date(nowMs)
      return Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1)
    }
    case 'life':
      return 0
  }
}

/** The first moment after the window; null for a window that never ends. */
export function windowEnd(length: WindowLength, nowMs: number): number | null {
  switch (length) {
    case 'minute':
      return windowStart(length, nowMs) + minuteMs
    case 'hour':
      return windowStart(length, nowMs) + hourMs
    case 'day':
      return windowStart(length, nowMs) + dayMs
    case 'week':
      return windowStart(length, nowMs) + 7 * dayMs
    case 'month': {
      const now = new Date(nowMs)
      return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)
    }
    case 'life':
      return null
  }
}
