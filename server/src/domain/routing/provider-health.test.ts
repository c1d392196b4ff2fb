import { describe, expect, it } from 'vitest'
import {
  healthy,
  judgeHealth,
  judgeLastResort,
  noteFailure,
  noteOpened,
  noteSuccess,
  noteThrottle,
  type ProviderHealth,
} from './provider-health.ts'

const rules = { failures: 3, openMs: 10_000 }
const openUntil = (untilMs: number) => ({ usable: false, why: 'circuit_open', untilMs })
const throttledUntil = (untilMs: number) => ({ usable: false, why: 'throttled', untilMs })

function failed(times: number, nowMs = 0): ProviderHealth {
  const health = healthy()
  for (let count = 0; count < times; count += 1) noteFailure(health, rules, nowMs)
  return health
}

describe('a circuit', () => {
  it('[ROUTE-16] opens after so many failures in a row', () => {
    expect(judgeHealth(failed(2), rules, 1)).toEqual({ usable: true, isProbe: false })
    expect(judgeHealth(failed(3), rules, 1)).toEqual(openUntil(10_000))
  })

  it('is not opened by being asked while it is closed', () => {
    const health = failed(2)
    for (const nowMs of [1, 2]) expect(judgeHealth(health, rules, nowMs)).toEqual({ usable: true, isProbe: false })
  })

  it('[ROUTE-16] counts failures in a row only', () => {
    const health = failed(2)
    noteSuccess(health)
    noteFailure(health, rules, 0)
    expect(judgeHealth(health, rules, 1)).toEqual({ usable: true, isProbe: false })
  })

  it('[ROUTE-16] lets one request find out whether it is well again, and closes when it is', () => {
    const health = failed(3)
    expect(judgeHealth(health, rules, 10_000)).toEqual({ usable: true, isProbe: true })
    expect(judgeHealth(health, rules, 10_001)).toEqual(openUntil(20_000))
    noteSuccess(health)
    expect(judgeHealth(health, rules, 10_002)).toEqual({ usable: true, isProbe: false })
  })

  it('[ROUTE-16] stays open when it is not', () => {
    const health = failed(3)
    judgeHealth(health, rules, 10_000)
    noteFailure(health, rules, 10_500)
    expect(judgeHealth(health, rules, 20_000)).toEqual(openUntil(20_500))
  })

  it('[ROUTE-16] takes another probe when nobody heard of the first', () => {
    const health = failed(3)
    judgeHealth(health, rules, 10_000)
    expect(judgeHealth(health, rules, 20_000)).toEqual({ usable: true, isProbe: true })
  })

  it('[ROUTE-16] opens for streams that begin and break, which no beginning makes up for', () => {
    const health = healthy()
    for (let count = 0; count < 3; count += 1) {
      noteOpened(health, rules)
      noteFailure(health, rules, 0)
    }
    expect(judgeHealth(health, rules, 1)).toEqual(openUntil(10_000))
    // A probe whose stream has begun admits other requests until it breaks off.
    judgeHealth(health, rules, 10_000)
    noteOpened(health, rules)
    expect(judgeHealth(health, rules, 10_001)).toEqual({ usable: true, isProbe: false })
    noteFailure(health, rules, 10_002)
    expect(judgeHealth(health, rules, 10_003)).toEqual(openUntil(20_002))
  })

  it('[ROUTE-16] is tried after a tenth of its time by a request that has nobody else, one at a time', () => {
    const health = failed(3)
    expect(judgeLastResort(health, rules, 999)).toEqual(openUntil(1_000))
    expect(judgeLastResort(health, rules, 1_000)).toEqual({ usable: true, isProbe: true })
    expect(judgeLastResort(health, rules, 1_001)).toEqual(openUntil(2_000))
    expect(judgeHealth(health, rules, 10_000)).toEqual(openUntil(11_000))
    noteSuccess(health)
    expect(judgeLastResort(health, rules, 1_002)).toEqual({ usable: true, isProbe: false })
  })
})

describe('an upstream that wants fewer requests', () => {
  it('is left alone for as long as it asks, and a minute at most', () => {
    const health = healthy()
    expect(noteThrottle(health, 30_000, 0)).toBe(30_000)
    expect(judgeHealth(health, rules, 29_999)).toEqual(throttledUntil(30_000))
    expect(judgeHealth(health, rules, 30_000)).toMatchObject({ usable: true })
    expect(noteThrottle(health, 86_400_000, 30_000)).toBe(60_000)
  })

  it('gets pauses that double up to eight seconds when it does not say, until it takes a request', () => {
    const health = healthy()
    const pauses = Array.from({ length: 7 }, () => noteThrottle(health, null, 0))
    expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000])
    noteSuccess(health)
    expect(noteThrottle(health, null, 0)).toBe(500)
    noteOpened(health, rules)
    expect(noteThrottle(health, null, 0)).toBe(500)
  })

  it('is not disturbed before the longest pause it asked for, nor as a last resort', () => {
    const health = healthy()
    noteThrottle(health, 10_000, 0)
    noteThrottle(health, 1_000, 0)
    expect(judgeHealth(health, rules, 9_999)).toEqual(throttledUntil(10_000))
    expect(judgeLastResort(health, rules, 9_999)).toEqual(throttledUntil(10_000))
  })

  it('counts no more than ten pauses, so that their length stays a number', () => {
    const health = healthy()
    for (let count = 0; count < 12; count += 1) noteThrottle(health, null, count)
    expect(health).toEqual({ failuresInRow: 0, openUntilMs: 0, throttlesInRow: 10, throttledUntilMs: 8_011 })
  })

  it('has not failed: its circuit stays closed', () => {
    const health = failed(2)
    noteThrottle(health, 1_000, 0)
    expect(judgeHealth(health, rules, 1_000)).toEqual({ usable: true, isProbe: false })
  })
})
