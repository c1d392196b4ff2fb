import { describe, expect, it } from 'vitest'
import { nearestAspectRatio, nearestResolution, nearestSize, sizeOfRatio, type SizeWish } from './fit-image-size.ts'
import { imageDetailsOf } from './image-details.ts'
import { parseImageSize } from './parse-image-size.ts'

const pixels = (width: number, height: number): SizeWish => ({ size: { width, height }, aspectRatio: null })
const ratio = (aspectRatio: string): SizeWish => ({ size: null, aspectRatio })
const nothing: SizeWish = { size: null, aspectRatio: null }

describe('a size that a client states', () => {
  it('is pixels, a ratio, a resolution, left to the model, or a word of a host', () => {
    expect(parseImageSize('1024x768')).toEqual({ kind: 'pixels', size: { width: 1_024, height: 768 } })
    expect(parseImageSize('1024*768')).toEqual({ kind: 'pixels', size: { width: 1_024, height: 768 } })
    expect(parseImageSize(' 16:9 ')).toEqual({ kind: 'ratio', ratio: '16:9' })
    expect(parseImageSize('2k')).toEqual({ kind: 'resolution', resolution: '2K' })
    expect(parseImageSize('auto')).toEqual({ kind: 'auto' })
    expect(parseImageSize('')).toEqual({ kind: 'auto' })
    expect(parseImageSize('square_hd')).toEqual({ kind: 'other', text: 'square_hd' })
  })

  it('is impossible where no image has such sides', () => {
    for (const text of ['0x0', '0x1024', '99999x1', '1024x16385']) {
      expect(parseImageSize(text), text).toEqual({ kind: 'impossible' })
    }
  })
})

describe('the nearest of what a model makes', () => {
  const dallE3 = ['1024x1024', '1792x1024', '1024x1792'].flatMap((text) => {
    const stated = parseImageSize(text)
    return stated.kind === 'pixels' ? [stated.size] : []
  })
  const gemini = ['1:1', '2:3', '3:2', '3:4', '4:3', '9:16', '16:9', '21:9']

  it('[IMG-08] is a size of the same form, and among those the nearest in area', () => {
    expect(nearestSize(pixels(1_024, 1_024), dallE3)).toEqual({ width: 1_024, height: 1_024 })
    expect(nearestSize(pixels(1_920, 1_080), dallE3)).toEqual({ width: 1_792, height: 1_024 })
    expect(nearestSize(pixels(720, 1_280), dallE3)).toEqual({ width: 1_024, height: 1_792 })
    const squares = [256, 512, 1_024].map((side) => ({ width: side, height: side }))
    expect(nearestSize(pixels(600, 600), squares)).toEqual({ width: 512, height: 512 })
    expect(nearestSize(ratio('16:9'), dallE3)).toEqual({ width: 1_792, height: 1_024 })
  })

  it('[IMG-08] is a ratio for models that know sizes by it', () => {
    expect(nearestAspectRatio(pixels(1_024, 1_024), gemini)).toBe('1:1')
    expect(nearestAspectRatio(pixels(1_792, 1_024), gemini)).toBe('16:9')
    expect(nearestAspectRatio(pixels(1_024, 1_536), gemini)).toBe('2:3')
    expect(nearestAspectRatio(ratio('21:9'), gemini)).toBe('21:9')
    expect(nearestAspectRatio(ratio('20:9'), gemini)).toBe('21:9')
  })

  it('[IMG-08] is a resolution for models that know sizes by name', () => {
    const names = ['1K', '2K', '4K']
    expect(nearestResolution(pixels(1_024, 1_024), names)).toBe('1K')
    expect(nearestResolution(pixels(1_536, 1_024), names)).toBe('1K')
    expect(nearestResolution(pixels(2_048, 2_048), names)).toBe('2K')
    expect(nearestResolution(pixels(4_096, 3_072), names)).toBe('4K')
    expect(nearestResolution(pixels(8_192, 8_192), names)).toBe('4K')
  })

  it('is nothing where nothing was asked for, or the model has no choice', () => {
    expect(nearestSize(nothing, dallE3)).toBeNull()
    expect(nearestAspectRatio(nothing, gemini)).toBeNull()
    expect(nearestResolution(nothing, ['1K'])).toBeNull()
    expect(nearestSize(pixels(1, 1), [])).toBeNull()
  })

  it('makes a size of a ratio for hosts that take pixels alone', () => {
    expect(sizeOfRatio('16:9', 1_048_576)).toEqual({ width: 1_360, height: 768 })
    expect(sizeOfRatio('1:1', 1_048_576)).toEqual({ width: 1_024, height: 1_024 })
    expect(sizeOfRatio('wide', 1_048_576)).toBeNull()
  })
})

describe('what the catalogue knows of images', () => {
  it('is read from its two forms of lists', () => {
    const image = {
      max_n: 4,
      max_input_references: 3,
      sizes: ['1024x1024', 'auto'],
      aspect_ratios: { type: 'enum', values: ['1:1', '16:9'] },
      resolutions: ['1K', 2],
    }
    expect(imageDetailsOf({ image })).toEqual({
      countMax: 4,
      inputsMax: 3,
      sizes: [{ width: 1_024, height: 1_024 }],
      aspectRatios: ['1:1', '16:9'],
      resolutions: ['1K'],
    })
  })

  it('is nothing where it says nothing', () => {
    const nothingKnown = { countMax: null, inputsMax: null, sizes: [], aspectRatios: [], resolutions: [] }
    expect(imageDetailsOf({})).toEqual(nothingKnown)
    expect(imageDetailsOf({ image: 'yes' })).toEqual(nothingKnown)
  })
})
