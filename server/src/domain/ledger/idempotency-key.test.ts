import { expect, it } from 'vitest'
import { parseIdempotencyKey } from './idempotency-key.ts'

it.each(['!', '~', 'order-4711', 'kkkkk kkkkk'.replace(' ', '')])('takes %j as an idempotency key', (key) => {
  expect(parseIdempotencyKey(key, 10)).toBe(key)
})

it.each(['', ' ', 'a b', 'a\n', 'é', '\x7f', 'kkkkkkkkkkk', ' a', 'a '])('refuses %j', (key) => {
  expect(() => parseIdempotencyKey(key, 10)).toThrow('Idempotency-Key must be 1 to 10 ASCII characters without spaces.')
})
