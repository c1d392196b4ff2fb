import { expect, it } from 'vitest'
import { realOutside } from './outside.ts'

it('the delay before a retry never ends early by the clock', async () => {
  const { nowMs, wait } = realOutside
  const lateMs: number[] = []
  async function waitInTurn(pauseMs: number): Promise<void> {
    for (let turn = 0; turn < 60; turn += 1) {
      const untilMs = nowMs() + pauseMs
      await wait(pauseMs)
      lateMs.push(nowMs() - untilMs)
    }
  }
  await Promise.all([2, 3, 4, 5, 6, 7, 8, 9].map(waitInTurn))
  expect(lateMs).toHaveLength(8 * 60)
  expect(lateMs.filter((late) => late < 0)).toEqual([])
})
