import { expect, it } from 'vitest'
import { shareBriefly } from './share-briefly.ts'

it('computes once for all calls within the time, and again after it', async () => {
  let [now, computed] = [1_000, 0]
  const read = shareBriefly(async () => (computed += 1), { forMs: 10, nowMs: () => now })
  expect(await Promise.all([read(), read()])).toEqual([1, 1])
  now = 1_009
  expect(await read()).toBe(1)
  now = 1_010
  expect(await read()).toBe(2)
})

it('forgets a failure', async () => {
  let computed = 0
  const compute = async () => {
    computed += 1
    if (computed === 1) throw new Error('away')
    return computed
  }
  const read = shareBriefly(compute, { forMs: 10, nowMs: () => 0 })
  await expect(read()).rejects.toThrow('away')
  expect(await read()).toBe(2)
})
