import { describe, expect, it } from 'vitest'
import { type FreeState, freeResetMs, freeRules, freeUnitsOf, freshFreeState, judgeFree } from './free-quota.ts'

// The start of a UTC day: day 20,833, minute 29,999,520.
const midnight = 1_799_971_200_000
const day = 20_833
const minute = 29_999_520
const ask = { name: 'a/free', units: 4, unitsPerDay: 10, requestsPerMinute: 2 }
const held = (change: Partial<FreeState> = {}): FreeState => ({ ...freshFreeState, ...change })

it('[FREE-02] [FREE-03] a free model has ten requests in a minute and 150 units in a day, 450 for who has credit', () => {
  expect(freeRules).toMatchObject({ requestsPerMinute: 10, unitsPerDay: 150, fundedFactor: 3 })
})

it.each([
  [0, 1],
  [1, 1],
  [8_192, 1],
  [8_193, 2],
  [16_384, 2],
  [81_921, 11],
])('[FREE-04] a prompt of %i tokens uses %i units', (tokens, units) => {
  expect(freeUnitsOf(tokens)).toBe(units)
})

describe('a free quota', () => {
  it('counts requests of the minute and units of the day', () => {
    const state = held()
    expect(state).toEqual({ day: 0, units: 0, minute: 0, requests: 0 })
    expect(judgeFree(state, ask, { takes: true, nowMs: midnight })).toBe('taken')
    expect(state).toEqual({ day, units: 4, minute, requests: 1 })
    expect(judgeFree(state, ask, { takes: true, nowMs: midnight + 59_999 })).toBe('taken')
    expect(state).toEqual({ day, units: 8, minute, requests: 2 })
  })

  it.each([
    ['taken', 6, 1],
    ['daily', 7, 1],
    ['rpm', 6, 2],
    // When both limits are reached, the error names the daily one, because it lasts longer.
    ['daily', 7, 2],
  ] as const)('[FREE-06] is %s after %i of 10 units and %i of 2 requests', (standing, units, requests) => {
    const state = held({ day, units, minute, requests })
    expect(judgeFree(state, ask, { takes: true, nowMs: midnight + 5 })).toBe(standing)
  })

  it.each([
    ['left', { day, units: 6, minute, requests: 1 }],
    ['daily', { day, units: 7, minute, requests: 0 }],
    ['rpm', { day, units: 0, minute, requests: 2 }],
  ] as const)('counts nothing where a request is only judged: %s', (standing, before) => {
    const state = held(before)
    expect(judgeFree(state, ask, { takes: false, nowMs: midnight + 5 })).toBe(standing)
    expect(state).toEqual(before)
  })

  it('does not count what it refuses, so that no client is kept out by having tried', () => {
    const state = held({ day, units: 7, minute, requests: 2 })
    judgeFree(state, ask, { takes: true, nowMs: midnight + 5 })
    expect(state).toEqual({ day, units: 7, minute, requests: 2 })
  })

  it.each([
    ['the next minute', midnight + 60_000, { day, units: 8, minute: minute + 1, requests: 1 }],
    ['the next day', midnight + 86_400_000, { day: day + 1, units: 4, minute: minute + 1_440, requests: 1 }],
  ])('starts again in %s', (_, nowMs, after) => {
    const state = held({ day, units: 4, minute, requests: 2 })
    expect(judgeFree(state, ask, { takes: true, nowMs })).toBe('taken')
    expect(state).toEqual(after)
  })

  it('goes on in the period that a process with a faster clock has opened', () => {
    const state = held({ day: day + 1, units: 4, minute: minute + 1, requests: 1 })
    expect(judgeFree(state, ask, { takes: true, nowMs: midnight })).toBe('taken')
    expect(state).toEqual({ day: day + 1, units: 8, minute: minute + 1, requests: 2 })
  })

  it('starts anew where the state is of a time further ahead', () => {
    const state = held({ day: day + 2, units: 10, minute: minute + 2, requests: 2 })
    expect(judgeFree(state, ask, { takes: true, nowMs: midnight })).toBe('taken')
    expect(state).toEqual({ day, units: 4, minute, requests: 1 })
  })

  it.each([
    ['daily', midnight, 86_400_000],
    ['daily', midnight + 86_399_999, 1],
    ['rpm', midnight + 1_000, 59_000],
    ['rpm', midnight + 60_000, 60_000],
  ] as const)('over its %s cap at %i is within it again after %i ms', (over, nowMs, resetMs) => {
    expect(freeResetMs(over, nowMs)).toBe(resetMs)
  })
})
