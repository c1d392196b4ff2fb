import { expect, it } from 'vitest'
import { partitionsPart } from './partitions.ts'

it('tells only of rounds that made a partition', async () => {
  const made = [2, 0]
  const told: number[] = []
  const part = partitionsPart({
    ensure: async () => made.shift() ?? 0,
    everyMs: 5,
    onMade: (count) => told.push(count),
  })
  expect(part).toMatchObject({ name: 'partitions', pauseMs: 5 })
  expect(await part.round(new AbortController().signal)).toBe(false)
  expect(await part.round(new AbortController().signal)).toBe(false)
  expect(told).toEqual([2])
})
