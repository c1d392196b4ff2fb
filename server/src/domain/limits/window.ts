import { endOf, startOf } from '#lib/utc-calendar.ts'
import type { SpendPeriod } from './spend-period.ts'

/** A period's start is part of its counter's key, so counters are never reset. */
export type WindowLength = 'minute' | 'hour' | SpendPeriod | 'life'

export function windowStart(length: WindowLength, nowMs: number): number {
  return length === 'life' ? 0 : startOf(length, nowMs)
}

/** The end of the window (exclusive); null for a window that never ends. */
export function windowEnd(length: WindowLength, nowMs: number): number | null {
  return length === 'life' ? null : endOf(length, nowMs)
}
