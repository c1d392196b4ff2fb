import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { realOutside } from './outside.ts'

it('the delay before a retry never ends early by the clock', async () => {
  const { nowMs, wait } = realOutside
  const ends = await Promise.all(
    Array.from({ length: 2_000 }, async (_, index) => {
      // Timers of many lengths that begin at different times.
      await setTimeout(index % 50)
      const pauseMs = 5 + (index % 40)
      const untilMs = nowMs() + pauseMs
      await wait(pauseMs)
      return nowMs() - untilMs
    }),
  )
  expect(ends.filter((lateMs) => lateMs < 0)).toEqual([])
})
