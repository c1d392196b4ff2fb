import { expect, it } from 'vitest'
import { isUndercharged } from './is-undercharged.ts'
import { nanoUsd } from './nano-usd.ts'

it.each<[number | undefined, bigint, boolean]>([
  [undefined, 0n, false],
  [100_000, 0n, false],
  [100_001, 0n, true],
  [10_000_000, 10_000_000n, false],
  [10_200_000, 10_000_000n, false],
  [10_200_001, 10_000_000n, true],
  [1, 10_000_000n, false],
])('V14: an answer that cost %s by its provider and %s here is undercharged: %s', (stated, cost, isTrue) => {
  expect(isUndercharged(stated, nanoUsd(cost))).toBe(isTrue)
})
