import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { type PixelRange, sizeWithin } from './size-within.ts'

const range: PixelRange = {
  step: 16,
  side: { least: 64, most: 4_096 },
  pixels: { least: 262_144, most: 4_194_304 },
}
const pixels = (width: number, height: number) => ({ size: { width, height }, aspectRatio: null })

it('keeps a size that a host takes as it is', () => {
  expect(sizeWithin(pixels(1_024, 768), range)).toEqual({ width: 1_024, height: 768 })
})

it('[IMG-08] makes what is too small larger and what is too large smaller, in its own form', () => {
  expect(sizeWithin(pixels(256, 256), range)).toEqual({ width: 512, height: 512 })
  expect(sizeWithin(pixels(8_192, 4_096), range)).toEqual({ width: 2_896, height: 1_440 })
  expect(sizeWithin(pixels(1_000, 1_000), range)).toEqual({ width: 1_008, height: 1_008 })
})

it('makes pixels of a ratio, and nothing of nothing', () => {
  expect(sizeWithin({ size: null, aspectRatio: '16:9' }, range)).toEqual({ width: 1_360, height: 768 })
  expect(sizeWithin({ size: null, aspectRatio: '1:1' }, range, 4_194_304)).toEqual({ width: 2_048, height: 2_048 })
  expect(sizeWithin({ size: null, aspectRatio: null }, range)).toBeNull()
  expect(sizeWithin({ size: null, aspectRatio: 'wide' }, range)).toBeNull()
})

it('never leaves the range, whatever is asked for', () => {
  const side = fc.integer({ min: 1, max: 16_384 })
  fc.assert(
    fc.property(side, side, (width, height) => {
      const made = sizeWithin(pixels(width, height), range)
      const sides = [made?.width ?? 0, made?.height ?? 0]
      for (const each of sides) {
        expect(each % range.step).toBe(0)
        expect(each).toBeGreaterThanOrEqual(range.side.least)
        expect(each).toBeLessThanOrEqual(range.side.most)
      }
      expect((sides[0] ?? 0) * (sides[1] ?? 0)).toBeLessThanOrEqual(range.pixels.most)
    }),
  )
})
