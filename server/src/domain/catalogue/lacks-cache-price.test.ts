import { describe, expect, test } from 'vitest'
import { lacksCachePrice } from './lacks-cache-price.ts'

describe('V12: a price is incomplete for want of a cache price', () => {
  test.each([
    ['chat', { prompt: '0.000001' }, true],
    ['chat', { prompt: 1n }, true],
    ['chat', { prompt: '0.000001', cache_read: '0.0000001' }, false],
    ['chat', { prompt: 1n, cache_read: 0n }, false],
    ['chat', { prompt: '0' }, false],
    ['chat', { prompt: '0.0' }, false],
    ['chat', { prompt: 0n }, false],
    ['chat', {}, false],
    ['embedding', { prompt: '0.000001' }, false],
    ['image', { prompt: 1n }, false],
  ] as const)('%s, %o: %s', (kind, units, isIncomplete) => {
    expect(lacksCachePrice(kind, units)).toBe(isIncomplete)
  })
})
