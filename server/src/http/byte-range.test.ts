import { describe, expect, it } from 'vitest'
import { parseRange } from './byte-range.ts'

describe('a range of bytes', () => {
  it.each([
    ['bytes=0-', { first: 0, last: 99 }],
    ['bytes=10-19', { first: 10, last: 19 }],
    ['bytes=90-1000', { first: 90, last: 99 }],
    ['bytes=-10', { first: 90, last: 99 }],
    ['bytes=-1000', { first: 0, last: 99 }],
    ['bytes=100-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=-00', 'unsatisfiable'],
    ['bytes=20-10', null],
    ['bytes=0-1,5-6', null],
    ['bytes=-', null],
    [undefined, null],
  ])('of 100, asked for as %s, is %j', (header, range) => {
    expect(parseRange(header, 100)).toEqual(range)
  })

  it('is never satisfied by nothing', () => {
    for (const header of ['bytes=-1', 'bytes=0-', 'bytes=0-0']) expect(parseRange(header, 0)).toBe('unsatisfiable')
  })
})
