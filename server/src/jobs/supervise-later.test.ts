import { once } from 'node:events'
import { expect, it } from 'vitest'
import { watchFault } from '#lib/fault-watch.ts'
import { superviseLater } from './supervise-later.ts'

function startParts(end: () => Promise<void> = async () => {}) {
  const done: string[] = []
  const rounds = Promise.withResolvers<void>()
  const supervisor = superviseLater({
    parts: [
      { name: 'silent', pauseMs: 1, round: async () => false },
      {
        name: 'sweep',
        pauseMs: 60_000,
        round: async () => {
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
    watch: () => watchFault({ tell: () => {}, nowMs: () => 0 }),
    nowMs: () => 7,
    pause: async (_ms, signal) => {
      if (!signal.aborted) await once(signal, 'abort')
    },
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
  supervisor.start()
  supervisor.start()
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
