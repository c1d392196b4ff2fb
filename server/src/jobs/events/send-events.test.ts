import { expect, it } from 'vitest'
import { pauseAfter } from './send-events.ts'

it('a sink is left alone for as long again as it has failed, from five seconds to five minutes', () => {
  expect([0, 4_999, 5_000, 60_000, 299_999, 300_000, 10_000_000].map((ms) => pauseAfter(ms))).toEqual([
    5_000, 5_000, 5_000, 60_000, 299_999, 300_000, 300_000,
  ])
})

it('a sink is left alone for as long as it says, up to an hour, and never shorter than otherwise', () => {
  expect(pauseAfter(0, 1_800_000)).toBe(1_800_000)
  expect(pauseAfter(0, 7_200_000)).toBe(3_600_000)
  expect(pauseAfter(60_000, 1_000)).toBe(60_000)
})
