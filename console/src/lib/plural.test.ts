import { expect, test } from 'vitest'
import { plural } from './plural.ts'

test.each([
  [0, 'key', undefined, '0 keys'],
  [1, 'key', undefined, '1 key'],
  [2340, 'request', undefined, '2,340 requests'],
  [1, 'try', 'tries', '1 try'],
  [2, 'try', 'tries', '2 tries'],
])('%i %s is written %4$s', (counted, one, many, words) => {
  expect(plural(counted, one, many)).toBe(words)
})
