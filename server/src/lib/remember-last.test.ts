import { expect, it, vi } from 'vitest'
import { rememberLast } from './remember-last.ts'

it('makes a result once while its inputs are the very same', () => {
  const make = vi.fn((one: object, other: number) => ({ one, other }))
  const remembered = rememberLast(make)
  const input = {}
  const result = remembered(input, 1)
  expect(remembered(input, 1)).toBe(result)
  expect(make).toHaveBeenCalledOnce()
  expect(remembered({}, 1)).not.toBe(result)
  expect(remembered(input, 2)).toEqual({ one: input, other: 2 })
  expect(remembered(input, 1)).not.toBe(result)
  expect(make).toHaveBeenCalledTimes(4)
})
