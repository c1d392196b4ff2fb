import { describe, expect, it } from 'vitest'
import { block, freshRateState, judgeRate, noteCancel, type RateState, rateLimitOf, readRate } from './rate.ts'

// The start of a UTC minute.
const minute = 1_800_000_000_000
const minuteMs = 60_000
const dayMs = 86_400_000
const fresh = (change: Partial<RateState> = {}): RateState => ({ ...freshRateState, ...change })

describe('the requests that a wallet may send in a window', () => {
  it.each([
    ['inference', 0n, 20],
    ['inference', 9_999_999_999n, 20],
    ['inference', 10_000_000_000n, 200],
    ['inference', 5_000_000_000_000n, 200],
    ['account', 0n, 600],
    ['account', 10_000_000_000n, 600],
  ] as const)(
    '[LIMIT-01] [LIMIT-02] [LIMIT-07] of class %s with %i nano-dollars are %i',
    (rateClass, balance, limit) => {
      expect(rateLimitOf(rateClass, balance)).toBe(limit)
    },
  )

  it.each([
    ['inference', 9_999_999_999n, 3],
    ['inference', 10_000_000_000n, 5],
    ['account', 10_000_000_000n, 7],
  ] as const)('of class %s with %i nano-dollars are the %i that an operator has set', (rateClass, balance, limit) => {
    expect(rateLimitOf(rateClass, balance, { inferenceLow: 3, inferenceFunded: 5, account: 7 })).toBe(limit)
  })
})

describe('a rate window', () => {
  it('[LIMIT-08] counts down to its limit, refuses until it ends, and starts again', () => {
    const state = fresh()
    const resetAtMs = minute + 60_000
    expect(judgeRate(state, 2, minute + 1)).toEqual({ allowed: true, limit: 2, remaining: 1, resetAtMs })
    expect(judgeRate(state, 2, minute + 2)).toEqual({ allowed: true, limit: 2, remaining: 0, resetAtMs })
    expect(judgeRate(state, 2, minute + 10_000)).toEqual({
      allowed: false,
      reason: 'window',
      limit: 2,
      resetAtMs,
      retryAfterMs: 50_000,
    })
    expect(judgeRate(state, 2, minute + 59_999)).toMatchObject({ allowed: false, retryAfterMs: 1 })
    expect(judgeRate(state, 2, minute + 60_000)).toEqual({
      allowed: true,
      limit: 2,
      remaining: 1,
      resetAtMs: minute + 120_000,
    })
  })

  it('goes on counting where a process with a faster clock has opened it', () => {
    const state = fresh({ windowStartMs: minute + minuteMs, count: 1 })
    expect(judgeRate(state, 3, minute + 59_990)).toEqual({
      allowed: true,
      limit: 3,
      remaining: 1,
      resetAtMs: minute + 120_000,
    })
  })

  it.each([minute - minuteMs, minute + 2 * minuteMs])('starts anew where the state is of another time: %i', (held) => {
    const state = fresh({ windowStartMs: held, count: 9 })
    expect(judgeRate(state, 3, minute + 5)).toEqual({
      allowed: true,
      limit: 3,
      remaining: 2,
      resetAtMs: minute + 60_000,
    })
  })
})

/** Sends three requests in a window that allows one, and returns the last verdict. */
function overrun(state: RateState, windowStartMs: number) {
  judgeRate(state, 1, windowStartMs + 10)
  judgeRate(state, 1, windowStartMs + 20)
  return judgeRate(state, 1, windowStartMs + 20)
}

describe('[LIMIT-09] a block for exceeding the rate', () => {
  it('follows the fifth window in a row, however often each was exceeded', () => {
    const state = fresh()
    for (const passed of [0, 1, 2, 3]) {
      expect(overrun(state, minute + passed * minuteMs)).toMatchObject({ reason: 'window' })
    }
    const untilMs = minute + 4 * minuteMs + 20 + 60_000
    expect(overrun(state, minute + 4 * minuteMs)).toEqual({
      allowed: false,
      reason: 'penalty',
      limit: 1,
      resetAtMs: untilMs,
      retryAfterMs: 60_000,
    })
    expect(judgeRate(state, 1, untilMs - 1)).toEqual({
      allowed: false,
      reason: 'penalty',
      limit: 1,
      resetAtMs: untilMs,
      retryAfterMs: 1,
    })
    expect(judgeRate(state, 1, untilMs)).toMatchObject({ allowed: true })
  })

  it('does not follow five windows with a quiet one among them', () => {
    const state = fresh()
    for (const passed of [0, 1, 2, 3, 5, 6, 7, 8]) {
      expect(overrun(state, minute + passed * minuteMs)).toMatchObject({ reason: 'window' })
    }
    expect(overrun(state, minute + 9 * minuteMs)).toMatchObject({ reason: 'penalty' })
  })

  it('needs five more windows before the next, which is twice as long', () => {
    const state = fresh()
    for (const passed of [0, 1, 2, 3, 4]) overrun(state, minute + passed * minuteMs)
    // The block ends within the sixth window; the following windows are adjacent to it.
    for (const passed of [6, 7, 8, 9]) {
      expect(overrun(state, minute + passed * minuteMs)).toMatchObject({ reason: 'window' })
    }
    expect(overrun(state, minute + 10 * minuteMs)).toMatchObject({ reason: 'penalty', retryAfterMs: 120_000 })
  })

  it('doubles each time, up to fifteen minutes', () => {
    const state = fresh()
    const lengths = [60_000, 120_000, 240_000, 480_000, 900_000, 900_000]
    for (const length of lengths) {
      const nowMs = Math.max(state.blockedUntilMs, minute)
      block(state, nowMs)
      expect(state.blockedUntilMs - nowMs).toBe(length)
    }
  })

  it('stays as it is when another offence falls into it', () => {
    const state = fresh()
    block(state, minute)
    block(state, minute + 59_999)
    expect(state).toMatchObject({ blockedUntilMs: minute + 60_000, blocks: 1 })
  })

  it.each([
    ['is remembered for a day', dayMs - 1, 120_000],
    ['is forgotten after a day', dayMs, 60_000],
  ])('%s', (_, laterMs, length) => {
    const state = fresh({ blockedUntilMs: minute, blocks: 1 })
    block(state, minute + laterMs)
    expect(state.blockedUntilMs).toBe(minute + laterMs + length)
  })

  it('takes the streak with it, so that the next offence starts from none', () => {
    const state = fresh({ overStreak: 4, lastOverStartMs: minute })
    block(state, minute + 10)
    expect(state.overStreak).toBe(0)
  })
})

const nineteenFrom = (firstMs: number) => Array.from({ length: 19 }, (_, index) => firstMs + index)

describe('[LIMIT-10] unbilled cancels of a key', () => {
  it('call for a block with the twentieth within ten minutes, and are then forgotten', () => {
    const cancels: number[] = []
    for (const atMs of nineteenFrom(minute)) expect(noteCancel(cancels, atMs)).toBe(false)
    expect(noteCancel(cancels, minute + 599_999)).toBe(true)
    expect(cancels).toEqual([])
  })

  it('call for none where the first of twenty is ten minutes old; only that one is forgotten', () => {
    const cancels = nineteenFrom(minute)
    expect(noteCancel(cancels, minute + 600_000)).toBe(false)
    expect(cancels).toEqual([...nineteenFrom(minute).slice(1), minute + 600_000])
    expect(noteCancel(cancels, minute + 600_000)).toBe(true)
  })
})

describe('the state of a window that is only read', () => {
  const counted = fresh({ windowStartMs: minute, count: 3 })
  it.each([
    ['this window', counted, minute + 10_000, 7],
    ['the last millisecond of it', counted, minute + 59_999, 7],
    ['the next window', counted, minute + minuteMs, 10],
    ['a window that is full', fresh({ windowStartMs: minute, count: 10 }), minute, 0],
    ['a window that went over', fresh({ windowStartMs: minute, count: 12 }), minute, 0],
    ['nothing yet', fresh(), minute + 1, 10],
    ['the moment a block ends', fresh({ blockedUntilMs: minute + 5 }), minute + 5, 10],
  ])('tells what is left of %s', (_what, state, nowMs, remaining) => {
    const before = { ...state }
    const resetAtMs = minute + (nowMs >= minute + minuteMs ? 2 : 1) * minuteMs
    expect(readRate(state, 10, nowMs)).toEqual({ allowed: true, limit: 10, remaining, resetAtMs })
    expect(state).toEqual(before)
  })

  it('tells how long a block lasts', () => {
    expect(readRate(fresh({ blockedUntilMs: minute + 5 }), 10, minute + 4)).toMatchObject({
      allowed: false,
      reason: 'penalty',
      limit: 10,
      retryAfterMs: 1,
    })
  })
})
