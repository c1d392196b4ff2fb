import { expect } from 'vitest'
import type { Hedging } from '#pipeline/dispatch/hedging.ts'

function never(): never {
  expect.fail('nothing is hedged')
}

/** For requests that ask for no second provider. */
export const idleHedging: Hedging = {
  budget: { earn: never, has: never, spend: never },
  slowMs: never,
  noteLost: never,
  count: never,
  pause: never,
}
