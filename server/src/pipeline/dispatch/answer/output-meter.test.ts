import { expect, it } from 'vitest'
import { OutputMeter } from './output-meter.ts'

function tokensOf(frameBytes: readonly number[]): number {
  const meter = new OutputMeter()
  for (const bytes of frameBytes) meter.add(bytes)
  return meter.tokens
}

it('[B13] guesses output by its text, whatever frames it comes in', () => {
  const words = [3, 5, 2, 7, 4, 6, 1, 4, 5, 3]
  for (const framing of [20, 87, 300]) {
    const guess = tokensOf(words.map((bytes) => framing + bytes))
    expect(guess).toBe(10)
    // The same text in one frame, next to a frame that shows the size of the framing.
    expect(tokensOf([framing + 1, framing + 40])).toBeLessThanOrEqual(guess)
  }
  expect(tokensOf([])).toBe(0)
})

it('[B6] takes one large frame for text, and not for framing', () => {
  expect(tokensOf([20_512])).toBe(4_000)
})

it('takes what frames have beyond the smallest for text, five bytes a token', () => {
  // The smallest frame counts as 99 bytes of framing and one of text.
  expect(tokensOf([100, 150, 150])).toBe(21)
  expect(tokensOf([150, 100, 150])).toBe(21)
  expect(tokensOf([105])).toBe(1)
})

it('counts a token for each frame at least', () => {
  expect(tokensOf([100, 100, 100])).toBe(3)
  const meter = new OutputMeter()
  expect(meter.frames).toBe(0)
  meter.add(100)
  meter.add(100)
  expect(meter.frames).toBe(2)
})

it('takes no more than 512 bytes of a frame for framing', () => {
  expect(tokensOf([513])).toBe(1)
  expect(tokensOf([523])).toBe(3)
})
