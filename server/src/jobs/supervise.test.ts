import { expect, it } from 'vitest'
import { watchFault } from '#lib/fault-watch.ts'
import type { Part } from './part.ts'
import { retryAfterMs, supervise } from './supervise.ts'

it('[O2] a part that throws is made again, after pauses that double', async () => {
  const world = superviseOne([fail, fail, fail, fail, fail, fail, fail, well, well])
  await world.made(9)
  expect(world.pauses.slice(0, 8)).toEqual([1_000, 2_000, 4_000, 8_000, 10_000, 10_000, 10_000, 60_000])
  await world.stop()
})

it('[O2] it is failing from the first fault on, down from the third, and well with the first round that succeeds', async () => {
  const world = superviseOne([fail, fail, fail, well])
  const seen: unknown[] = []
  for (let round = 1; round <= 4; round += 1) {
    await world.made(round)
    const [state] = world.supervisor.parts
    seen.push([state?.failing?.times ?? 0, state?.failing?.sinceMs ?? null, state?.isDown, state?.failures])
  }
  expect(seen).toEqual([
    [1, 1_000, false, 1],
    [2, 1_000, false, 2],
    [3, 1_000, true, 3],
    [0, null, false, 3],
  ])
  expect(world.supervisor.parts[0]?.succeededAtMs).toBe(4_000)
  await world.stop()
})

it('[O2] a part that fails leaves the others alone', async () => {
  const rounds: string[] = []
  const enough = Promise.withResolvers<void>()
  const part = (name: string, act: () => void): Part => ({
    name,
    everyMs: 1,
    run: async () => {
      rounds.push(name)
      if (rounds.filter((each) => each === 'sound').length === 5) enough.resolve()
      act()
      return false
    },
  })
  const supervisor = supervise({
    parts: [part('broken', fail), part('sound', () => {})],
    watch: () => watchFault({ tell: () => {}, nowMs: Date.now }),
    nowMs: Date.now,
  })
  await enough.promise
  await supervisor.stop()
  expect(supervisor.parts.map(({ name, failing }) => [name, failing === null])).toEqual([
    ['broken', false],
    ['sound', true],
  ])
})

it('a round that asks for the next one gets it at once, and the end comes after the last round', async () => {
  const world = superviseOne([due, due, well])
  await world.made(3)
  expect(world.pauses).toEqual([60_000])
  await world.stop()
  expect(world.ends).toEqual([3])
})

it('a part that comes round often is not made to wait long at first', () => {
  expect([1, 2, 3, 4, 5, 6, 7].map((times) => retryAfterMs(times, 200))).toEqual([
    200, 400, 800, 1_600, 3_200, 6_400, 10_000,
  ])
  expect(retryAfterMs(1_000_000, 3_600_000)).toBe(10_000)
})

function fail(): never {
  throw new Error('broken')
}
const well = (): boolean => false
const due = (): boolean => true

/** Supervises a part that performs these acts in its rounds; the clock advances a second per round. */
function superviseOne(acts: readonly (() => boolean)[]) {
  const clock = { ms: 0 }
  const pauses: number[] = []
  const ends: number[] = []
  let rounds = 0
  let turn = Promise.withResolvers<void>()
  let wanted = 0
  const isPaused = { resolve: (): void => {} }
  const supervisor = supervise({
    parts: [
      {
        name: 'part',
        everyMs: 60_000,
        run: async () => {
          rounds += 1
          clock.ms += 1_000
          return acts[rounds - 1]?.() ?? false
        },
        end: async () => void ends.push(rounds),
      },
    ],
    watch: () => watchFault({ tell: () => {}, nowMs: () => clock.ms }),
    nowMs: () => clock.ms,
    pause: async (ms, signal) => {
      pauses.push(ms)
      if (signal.aborted || rounds < wanted) return
      isPaused.resolve()
      signal.addEventListener('abort', () => turn.resolve(), { once: true })
      await turn.promise
    },
  })
  return {
    supervisor,
    pauses,
    ends,
    /** Resolves when `count` rounds have run and the pause has started. */
    made: (count: number): Promise<void> => {
      wanted = count
      const paused = new Promise<void>((resolve) => {
        isPaused.resolve = resolve
      })
      const before = turn
      turn = Promise.withResolvers<void>()
      before.resolve()
      return paused
    },
    stop: () => supervisor.stop(),
  }
}
