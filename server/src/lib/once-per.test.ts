import { expect, it, vi } from 'vitest'
import { oncePer } from './once-per.ts'

it('computes a value once for each key', () => {
  const compute = vi.fn(({ text }: { text: string }) => text.length)
  const lengthOf = oncePer(compute)
  const [one, other] = [{ text: 'weir' }, { text: 'weir' }]
  expect([lengthOf(one), lengthOf(one), lengthOf(other)]).toEqual([4, 4, 4])
  expect(compute.mock.calls).toEqual([[one], [other]])
})

it('keeps falsy values', () => {
  const compute = vi.fn(() => 0)
  const countOf = oncePer(compute)
  const key = {}
  expect([countOf(key), countOf(key)]).toEqual([0, 0])
  expect(compute).toHaveBeenCalledOnce()
})

it('computes again after a failure', () => {
  let isFirst = true
  const read = oncePer(() => {
    if (!isFirst) return 'read'
    isFirst = false
    throw new Error('not there yet')
  })
  const key = {}
  expect(() => read(key)).toThrow('not there yet')
  expect(read(key)).toBe('read')
})
