import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { keepReplaying } from './keep-replaying.ts'

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

it('tells of what was replayed and of failures, goes on after both, and is silent where nothing waited', async () => {
  const away = new Error('away')
  const turns = [async () => 0, () => Promise.reject(away), async () => 3, async () => 1]
  const told: unknown[] = []
  const replaying = keepReplaying({
    spool: { replay: () => turns.shift()?.() ?? Promise.resolve(0) },
    everyMs: 1_000,
    onReplayed: (count) => told.push(count),
    onError: (error) => told.push(error),
  })
  await vi.advanceTimersByTimeAsync(3_000)
  expect(told).toEqual([away, 3])
  replaying.stop()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(told).toHaveLength(2)
})
