import { once } from 'node:events'
import { expect, it } from 'vitest'
import { watchFault } from '#lib/fault-watch.ts'
import type { Part } from './part.ts'
import type { SupervisorOptions } from './supervise.ts'
import { type LaterSupervisor, superviseLater } from './supervise-later.ts'

const quiet: Omit<SupervisorOptions, 'parts'> = {
  watch: () => watchFault({ tell: () => {}, nowMs: () => 0 }),
  nowMs: () => 7,
  pause: async (_ms, signal) => {
    if (!signal.aborted) await once(signal, 'abort')
  },
}

function startParts(end: () => Promise<void> = async () => {}) {
  const done: string[] = []
  const rounds = Promise.withResolvers<void>()
  const supervisor = superviseLater({
    parts: [
      { name: 'silent', everyMs: 1, run: async () => false },
      {
        name: 'sweep',
        everyMs: 60_000,
        run: async () => {
          done.push('round')
          rounds.resolve()
          return false
        },
        end: async () => {
          done.push('end')
          await end()
        },
      },
    ],
    ...quiet,
  })
  return { supervisor, done, rounds: rounds.promise }
}

it('runs no round and shows no part before its start', () => {
  const { supervisor, done } = startParts()
  expect(supervisor.isStarted).toBe(false)
  expect(supervisor.parts).toEqual([])
  expect(done).toEqual([])
})

it('runs its parts from the start on, and ends them once', async () => {
  const { supervisor, done, rounds } = startParts()
  await Promise.all([supervisor.start(), supervisor.start()])
  await rounds
  expect(supervisor.isStarted).toBe(true)
  expect(supervisor.parts.map(({ name }) => name)).toEqual(['silent', 'sweep'])
  await supervisor.stop()
  expect(done).toEqual(['round', 'end'])
})

it('ends the parts of a worker that never started, and tells of one that could not', async () => {
  const { supervisor, done } = startParts(() => Promise.reject(new Error('still open')))
  await expect(supervisor.stop()).rejects.toThrow('still open')
  expect(done).toEqual(['end'])
})

function fail(): never {
  throw new Error('away')
}

it('makes the first rounds that others build upon one by one before it has started, even where one fails', async () => {
  const done: string[] = []
  const part = (name: string, act: () => void = () => {}): Part => ({
    name,
    everyMs: 60_000,
    run: async () => {
      done.push(`${name} ${supervisor.isStarted ? 'after' : 'before'}`)
      act()
    },
  })
  const supervisor: LaterSupervisor = superviseLater({
    parts: [part('sweep'), { ...part('partitions', fail), isFirst: true }, { ...part('routing'), isFirst: true }],
    ...quiet,
  })
  await supervisor.start()
  expect(done.slice(0, 2)).toEqual(['partitions before', 'routing before'])
  await supervisor.stop()
  expect(done.slice(2).map((round) => round.split(' ')[0])).toEqual(['sweep', 'partitions', 'routing'])
})
