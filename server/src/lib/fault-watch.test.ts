import { expect, it } from 'vitest'
import { type FaultNotice, type FaultWatchOptions, watchFault } from './fault-watch.ts'

it('[O3] a fault that comes every second is told once, and then once a minute with its count', () => {
  const { watch, told, clock } = watchOf()
  for (let second = 0; second < 130; second += 1) {
    watch.failed(new Error(`number ${second + 1}`))
    clock.ms += 1_000
  }
  expect(told.map(({ kind, times, error }) => [kind, times, String(error)])).toEqual([
    ['began', 1, 'Error: number 1'],
    ['goes-on', 61, 'Error: number 61'],
    ['goes-on', 121, 'Error: number 121'],
  ])
  expect(watch.failing).toMatchObject({ sinceMs: 1_000_000, times: 130 })
})

it('the end of a fault is told once, and the next one begins anew', () => {
  const { watch, told, clock } = watchOf()
  watch.succeeded()
  watch.failed('a')
  clock.ms += 10
  watch.failed('b')
  watch.succeeded()
  watch.succeeded()
  expect(watch.failing).toBeNull()
  watch.failed('c')
  expect(told.map(({ kind, times, error }) => [kind, times, error])).toEqual([
    ['began', 1, 'a'],
    ['over', 2, 'b'],
    ['began', 1, 'c'],
  ])
})

it('a fault whose end nothing tells of is over after its time', () => {
  const { watch, told, clock } = watchOf({ overAfterMs: 5_000 })
  watch.failed('a')
  clock.ms += 4_999
  watch.failed('b')
  clock.ms += 5_000
  watch.failed('c')
  expect(told.map(({ kind, times, error }) => [kind, times, error])).toEqual([
    ['began', 1, 'a'],
    ['began', 1, 'c'],
  ])
})

it('a clock that goes back does not silence a fault', () => {
  const { watch, told, clock } = watchOf()
  watch.failed('a')
  clock.ms -= 3_600_000
  watch.failed('b')
  expect(told.map(({ kind }) => kind)).toEqual(['began', 'goes-on'])
})

function watchOf(options: Partial<FaultWatchOptions> = {}) {
  const clock = { ms: 1_000_000 }
  const told: FaultNotice[] = []
  const watch = watchFault({ tell: (notice) => told.push(notice), nowMs: () => clock.ms, ...options })
  return { watch, told, clock }
}
