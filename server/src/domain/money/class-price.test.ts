import { describe, expect, it } from 'vitest'
import type { UsageClasses } from '#domain/inference/usage.ts'
import { classNames, classPrice, inputClasses, outputClasses, textInputs } from './class-price.ts'
import { parseUnitPrices } from './price-list.ts'

// Each unit has a different price, in units of 10^-18 USD.
const full = parseUnitPrices({
  prompt: '0.000000000000000001',
  completion: '0.000000000000000002',
  cache_read: '0.000000000000000003',
  cache_write: '0.000000000000000004',
  cache_write_1h: '0.000000000000000005',
  audio_input: '0.000000000000000006',
  reasoning: '0.000000000000000007',
  image_output_token: '0.000000000000000008',
  audio_output: '0.000000000000000009',
})
const plain = parseUnitPrices({ prompt: '0.000000000000000001', completion: '0.000000000000000002' })

describe('a token', () => {
  it.each<[keyof UsageClasses, bigint, bigint]>([
    ['uncachedInput', 1n, 1n],
    ['cacheRead', 3n, 1n],
    ['cacheWrite5m', 4n, 1n],
    ['cacheWrite1h', 5n, 1n],
    ['audioInput', 6n, 1n],
    ['textOutput', 2n, 2n],
    ['reasoningOutput', 7n, 2n],
    ['imageOutput', 8n, 2n],
    ['audioOutput', 9n, 2n],
  ])(
    '[USAGE-11] [USAGE-13] of %s costs its own price, or else that of plain input or output',
    (item, own, inherited) => {
      expect(classPrice(item, full)).toBe(own)
      expect(classPrice(item, plain)).toBe(inherited)
      expect(classPrice(item, {})).toBe(0n)
    },
  )

  it('written to a cache for an hour costs what one for five minutes does, where only that has a price', () => {
    const { cache_write_1h: _, ...withoutHour } = full
    expect(classPrice('cacheWrite1h', withoutHour)).toBe(4n)
  })
})

it('[P9] classes are the words of a prompt, its sound, and four kinds of output; each is listed once', () => {
  expect(textInputs).toEqual(['uncachedInput', 'cacheRead', 'cacheWrite5m', 'cacheWrite1h'])
  expect(inputClasses).toEqual(['uncachedInput', 'cacheRead', 'cacheWrite5m', 'cacheWrite1h', 'audioInput'])
  expect(outputClasses).toEqual(['textOutput', 'reasoningOutput', 'imageOutput', 'audioOutput'])
  expect(classNames).toEqual([
    'uncachedInput',
    'cacheRead',
    'cacheWrite5m',
    'cacheWrite1h',
    'audioInput',
    'textOutput',
    'reasoningOutput',
    'imageOutput',
    'audioOutput',
  ])
})
