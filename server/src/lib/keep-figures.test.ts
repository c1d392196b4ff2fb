import { expect, it } from 'vitest'
import { keepFigures } from './keep-figures.ts'

it('reads again only after its time, and readers meanwhile share what was read', async () => {
  let [nowMs, reads] = [1_000, 0]
  const figures = keepFigures({ read: async () => [(reads += 1)], everyMs: 100, nowMs: () => nowMs, onError: fail })
  expect(await Promise.all([figures(), figures()])).toEqual([[1], [1]])
  nowMs += 99
  expect(await figures()).toEqual([1])
  nowMs += 1
  expect(await figures()).toEqual([2])
})

it('shows the last figures while they cannot be read, says why each time, and goes on when they can', async () => {
  let nowMs = 0
  const told: unknown[] = []
  const answers = [Promise.resolve([7]), ...[1, 2].map((time) => rejected(`away ${time}`)), Promise.resolve([8])]
  const read = (): Promise<number[]> => answers.shift() ?? rejected('asked too often')
  const figures = keepFigures({ read, everyMs: 1, nowMs: () => nowMs, onError: (error) => told.push(error) })
  const shown: unknown[] = []
  for (; nowMs < 4; nowMs += 1) shown.push(await figures())
  expect(shown).toEqual([[7], [7], [7], [8]])
  expect(told).toEqual([new Error('away 1'), new Error('away 2')])
})

function rejected(message: string): Promise<never> {
  const failed = Promise.reject(new Error(message))
  failed.catch(() => {})
  return failed
}

function fail(error: unknown): void {
  throw error
}
