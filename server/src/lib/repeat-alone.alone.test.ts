import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { repeatAlone } from './repeat-alone.ts'

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

it('leaves out the turns that find the last one still running', async () => {
  const turns: PromiseWithResolvers<void>[] = []
  const repeated = repeatAlone({
    everyMs: 100,
    run: () => {
      const turn = Promise.withResolvers<void>()
      turns.push(turn)
      return turn.promise
    },
    onError: () => {},
  })
  await vi.advanceTimersByTimeAsync(350)
  expect(turns).toHaveLength(1)
  turns[0]?.resolve()
  await vi.advanceTimersByTimeAsync(100)
  expect(turns).toHaveLength(2)
  repeated.stop()
})

it('goes on after a failure, and not after it was stopped', async () => {
  const errors: unknown[] = []
  const failure = new Error('away')
  const repeated = repeatAlone({
    everyMs: 100,
    run: () => Promise.reject(failure),
    onError: (error) => errors.push(error),
  })
  await vi.advanceTimersByTimeAsync(250)
  expect(errors).toEqual([failure, failure])
  repeated.stop()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(errors).toHaveLength(2)
})
