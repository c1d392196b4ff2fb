import { describe, expect, it } from 'vitest'
import {
  countFailure,
  type FailureState,
  failureRules,
  failuresWithin,
  freshFailureState,
  giveBackAttempt,
  takeAttempt,
} from './failures.ts'

const startMs = 1_800_000_000_000
const dayMs = 86_400_000
const fresh = (change: Partial<FailureState> = {}): FailureState => ({ ...freshFailureState, ...change })

it('failures of a site count for 15 minutes, those of an account or of a neighbourhood of four sites for an hour', () => {
  expect(failureRules).toMatchObject({ windowMs: 900_000, pressureWindowMs: 3_600_000, neighbourhoodFactor: 4 })
})

describe('an attempt to sign in', () => {
  it('is free below the tolerance, and the one that reaches it begins a pause of a minute', () => {
    const state = fresh()
    const free = { allowed: true, taken: { pausedUntilMs: 0, earlierUntilMs: 0 } }
    expect(takeAttempt(state, 3, startMs)).toEqual(free)
    expect(takeAttempt(state, 3, startMs + 1)).toEqual(free)
    expect(takeAttempt(state, 3, startMs + 2)).toEqual({
      allowed: true,
      taken: { pausedUntilMs: startMs + 60_002, earlierUntilMs: 0 },
    })
  })

  it('is refused for as long as the pause lasts, and not a millisecond longer', () => {
    const state = fresh()
    takeAttempt(state, 1, startMs)
    expect(takeAttempt(state, 1, startMs + 10_000)).toEqual({ allowed: false, retryAfterMs: 50_000 })
    expect(takeAttempt(state, 1, startMs + 59_999)).toEqual({ allowed: false, retryAfterMs: 1 })
    expect(takeAttempt(state, 1, startMs + 60_000)).toMatchObject({ allowed: true })
  })

  it('begins pauses that double, up to an hour', () => {
    const state = fresh()
    let nowMs = startMs
    for (const minutes of [1, 2, 4, 8, 16, 32, 60, 60]) {
      // After a block a single failure is one too many, even if the window has expired.
      expect(takeAttempt(state, 1, nowMs)).toMatchObject({ allowed: true })
      expect(state.pausedUntilMs - nowMs).toBe(minutes * 60_000)
      nowMs = state.pausedUntilMs
    }
  })

  it.each([
    ['is twice as long within a day of the last one', dayMs - 1, 120_000],
    ['has its first length again after a day', dayMs, 60_000],
  ])('begins a pause that %s', (_, laterMs, pauseMs) => {
    const state = fresh({ pausedUntilMs: startMs, pauses: 1 })
    expect(takeAttempt(state, 1, startMs + laterMs)).toEqual({
      allowed: true,
      taken: { pausedUntilMs: startMs + laterMs + pauseMs, earlierUntilMs: startMs },
    })
  })

  it('counts within 15 minutes of the first', () => {
    const within = fresh({ windowStartMs: startMs, count: 1 })
    takeAttempt(within, 9, startMs + 899_999)
    expect(within).toMatchObject({ windowStartMs: startMs, count: 2 })
    const beyond = fresh({ windowStartMs: startMs, count: 1 })
    takeAttempt(beyond, 9, startMs + 900_000)
    expect(beyond).toMatchObject({ windowStartMs: startMs + 900_000, count: 1 })
  })
})

describe('an attempt that is given back', () => {
  it('counts no more, and never less than nothing', () => {
    const state = fresh({ windowStartMs: startMs, count: 2, pausedUntilMs: 7, pauses: 1 })
    giveBackAttempt(state, { pausedUntilMs: 0, earlierUntilMs: 0 })
    expect(state).toEqual({ windowStartMs: startMs, count: 1, pausedUntilMs: 7, pauses: 1 })
    const none = fresh()
    giveBackAttempt(none, { pausedUntilMs: 0, earlierUntilMs: 0 })
    expect(none).toEqual({ windowStartMs: 0, count: 0, pausedUntilMs: 0, pauses: 0 })
  })

  it('takes back the pause that it began', () => {
    const state = fresh({ count: 4, pausedUntilMs: startMs, pauses: 1 })
    const verdict = takeAttempt(state, 1, startMs)
    if (!verdict.allowed) return expect.fail('the attempt was refused')
    giveBackAttempt(state, verdict.taken)
    expect(state).toMatchObject({ count: 0, pausedUntilMs: startMs, pauses: 1 })
  })

  it('leaves a pause that another attempt has begun', () => {
    const state = fresh({ count: 4, pausedUntilMs: startMs + 5, pauses: 2 })
    giveBackAttempt(state, { pausedUntilMs: startMs, earlierUntilMs: startMs - 60_000 })
    expect(state).toEqual({ windowStartMs: 0, count: 3, pausedUntilMs: startMs + 5, pauses: 2 })
  })

  it('began none where none was running, so that there is none to take back', () => {
    const state = fresh({ count: 4, pausedUntilMs: 0, pauses: 2 })
    giveBackAttempt(state, { pausedUntilMs: 0, earlierUntilMs: startMs })
    expect(state).toEqual({ windowStartMs: 0, count: 3, pausedUntilMs: 0, pauses: 2 })
  })
})

describe('failures within a window', () => {
  it('are counted from its first one on', () => {
    const state = fresh()
    expect(countFailure(state, 1_000, startMs)).toBe(1)
    expect(countFailure(state, 1_000, startMs + 999)).toBe(2)
    expect(state).toMatchObject({ windowStartMs: startMs, count: 2 })
    expect(countFailure(state, 1_000, startMs + 1_000)).toBe(1)
    expect(state).toMatchObject({ windowStartMs: startMs + 1_000, count: 1 })
  })

  it('are read without being counted, and are none once it has passed', () => {
    const state = fresh({ windowStartMs: startMs, count: 5 })
    expect(failuresWithin(state, 1_000, startMs + 999)).toBe(5)
    expect(failuresWithin(state, 1_000, startMs + 1_000)).toBe(0)
    expect(state.count).toBe(5)
  })
})
