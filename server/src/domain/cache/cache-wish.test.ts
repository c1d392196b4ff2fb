import { expect, it } from 'vitest'
import { readCacheWish } from './cache-wish.ts'

const terms = { ttlSeconds: 300, ttlSecondsMax: 3_600 }

it.each([
  [undefined, null, null],
  [undefined, 60, 60],
  [undefined, 9_000, 3_600],
  [null, null, null],
  [null, 60, 60],
  [true, null, 300],
  [true, 60, 300],
  [false, null, null],
  [false, 60, null],
  [{ ttl_seconds: 1 }, null, 1],
  [{ ttl_seconds: 7 }, 60, 7],
  [{ ttl_seconds: 3_600 }, 60, 3_600],
])('[NEXT-88] reads %j over a setting of %j as %j', (sent, standing, ttlSeconds) => {
  expect(readCacheWish(sent, standing, terms)).toBe(ttlSeconds)
})

it.each(['true', 300, [], {}, { ttl_seconds: 60, more: 1 }, { ttlSeconds: 60 }])('[NEXT-88] rejects %j', (sent) => {
  expect(() => readCacheWish(sent, 60, terms)).toThrow(
    '`cache` must be `true`, `false` or an object with only `ttl_seconds`.',
  )
})

it.each([0, -1, 1.5, 3_601, '60', null, true])('[NEXT-88] rejects a time of %j', (ttl) => {
  expect(() => readCacheWish({ ttl_seconds: ttl }, 60, terms)).toThrow(
    '`cache.ttl_seconds` must be an integer from 1 to 3600.',
  )
})
