import { describe, expect, it } from 'vitest'
import { nextCheckOf } from './next-check.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

function at(ageMs: number, status: 'open' | 'pending' | null = 'open') {
  return nextCheckOf({ state: 'open', status, ageMs })
}

describe('P8 an open order', () => {
  it.each([
    [0, 1 * minuteMs],
    [1 * minuteMs, 5 * minuteMs],
    [5 * minuteMs, 30 * minuteMs],
    [30 * minuteMs, 90 * minuteMs],
    [3 * dayMs - 1, 3 * dayMs - 1 + hourMs],
  ])('of an age of %i ms is asked about at %i ms', (ageMs, nextMs) => {
    expect(at(ageMs)).toEqual({ inMs: nextMs - ageMs })
  })

  it('is given up after three days, unless the money is on its way', () => {
    expect(at(3 * dayMs)).toBe('expire')
    expect(at(3 * dayMs, null)).toBe('expire')
    expect(at(3 * dayMs, 'pending')).toEqual({ inMs: dayMs })
    expect(at(30 * dayMs, 'pending')).toBe('expire')
  })

  it('that is no longer open is not asked about', () => {
    expect(nextCheckOf({ state: 'paid', status: 'paid', ageMs: 0 })).toBeNull()
  })
})
