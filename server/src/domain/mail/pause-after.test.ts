import { expect, it } from 'vitest'
import { pauseAfter } from './pause-after.ts'

it('the pause before the next attempt doubles from 2 s up to an hour', () => {
  expect([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 1_000_000].map((attempts) => pauseAfter(attempts) / 1_000)).toEqual(
    [2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024, 2_048, 3_600, 3_600, 3_600],
  )
})
