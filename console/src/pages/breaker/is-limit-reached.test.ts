import { expect, it } from 'vitest'
import { isLimitReached } from './is-limit-reached.ts'

const limits = { cbMinuteUsd: 5, cbHourlyUsd: 50 }

it.each([
  [4.99, 49.99, false],
  [5, 5, true],
  [0, 50, true],
  [0, 0, false],
])('with $%s this minute and $%s this hour it is %s', (minuteSpend, hourSpend, reached) => {
  expect(isLimitReached(limits, { minuteSpend, hourSpend })).toBe(reached)
})
