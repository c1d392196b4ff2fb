import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type WindowLength, windowEnd, windowStart } from './window.ts'

const lengths: WindowLength[] = ['minute', 'hour', 'day', 'week', 'month']
const moment = fc.date({ min: new Date('2020-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }).map(Number)

describe('a window', () => {
  it.each(lengths)('[P15] per %s holds its moment, and windows follow each other without a gap', (length) => {
    fc.assert(
      fc.property(moment, (nowMs) => {
        const start = windowStart(length, nowMs)
        const end = windowEnd(length, nowMs) ?? 0
        expect(start).toBeLessThanOrEqual(nowMs)
        expect(end).toBeGreaterThan(nowMs)
        expect(windowStart(length, start)).toBe(start)
        expect(windowStart(length, end - 1)).toBe(start)
        expect(windowStart(length, end)).toBe(end)
      }),
    )
  })

  it.each([
    ['minute', '2026-03-01T10:11:00.000Z'],
    ['hour', '2026-03-01T10:00:00.000Z'],
    ['day', '2026-03-01T00:00:00.000Z'],
    // The first of March 2026 is a Sunday.
    ['week', '2026-02-23T00:00:00.000Z'],
    ['month', '2026-03-01T00:00:00.000Z'],
    ['life', '1970-01-01T00:00:00.000Z'],
  ] as const)('[ACCT-07] per %s starts on the UTC clock', (length, start) => {
    const nowMs = Date.parse('2026-03-01T10:11:12.345Z')
    expect(new Date(windowStart(length, nowMs)).toISOString()).toBe(start)
  })

  it('over a whole life never ends', () => {
    expect(windowEnd('life', Date.now())).toBeNull()
  })
})
