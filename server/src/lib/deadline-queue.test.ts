import { expect, it } from 'vitest'
import { createTestTimers } from '#test/setup/test-timers.ts'
import { createDeadlineQueue } from './deadline-queue.ts'
import type { Timers } from './timers.ts'

function startQueue() {
  const timers = createTestTimers()
  const counted = { timers: 0 }
  const counting: Timers = {
    nowMs: timers.nowMs,
    after: (ms, run) => {
      counted.timers += 1
      return timers.after(ms, run)
    },
  }
  const late: string[] = []
  const queue = createDeadlineQueue(50, counting)
  return { timers, counted, late, begin: (name: string) => queue.begin(() => late.push(name)) }
}

it('deadlines end in the order in which they began, each after its whole time', async () => {
  const { timers, late, begin } = startQueue()
  begin('first')
  begin('second')
  await timers.pass(20)
  begin('third')
  await timers.pass(29)
  expect(late).toEqual([])
  await timers.pass(1)
  expect(late).toEqual(['first', 'second'])
  await timers.pass(19)
  expect(late).toEqual(['first', 'second'])
  await timers.pass(1)
  expect(late).toEqual(['first', 'second', 'third'])
})

it('a cancelled deadline never ends, and the others do', async () => {
  const { timers, late, begin } = startQueue()
  const cancelled = begin('cancelled')
  await timers.pass(10)
  begin('kept')
  cancelled.cancel()
  await timers.pass(60)
  expect(late).toEqual(['kept'])
})

it('many deadlines share one timer', async () => {
  const { timers, counted, begin } = startQueue()
  const begun = Array.from({ length: 100 }, (_, index) => begin(String(index)))
  for (const deadline of begun) deadline.cancel()
  await timers.pass(1_000)
  expect(counted.timers).toBe(1)
  begin('next')
  expect(counted.timers).toBe(2)
})

it('a deadline that ends may begin another', async () => {
  const timers = createTestTimers()
  const queue = createDeadlineQueue(50, timers)
  const late: number[] = []
  queue.begin(() => {
    late.push(timers.nowMs())
    queue.begin(() => late.push(timers.nowMs()))
  })
  await timers.pass(100)
  expect(late).toEqual([50, 100])
})
