import { expect, it } from 'vitest'
import { findWrongAddress, parseAddresses } from './parse-addresses.ts'

it.each([
  ['', []],
  [' a@b.c ', ['a@b.c']],
  ['a@b.c, d@e.f', ['a@b.c', 'd@e.f']],
  ['a@b.c\nd@e.f\r\n\ng@h.i;', ['a@b.c', 'd@e.f', 'g@h.i']],
  ['A@b.c a@B.C', ['a@b.c']],
])('reads %j as %j', (text, addresses) => {
  expect(parseAddresses(text)).toEqual(addresses)
})

it('finds what is no address', () => {
  expect(findWrongAddress(['a@b.c', 'ada'])).toBe('ada')
  expect(findWrongAddress(['a@b.c', 'a@b'])).toBe('a@b')
  expect(findWrongAddress(['a@b.c'])).toBeUndefined()
})
