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
    // The same words in one frame, beside one that shows what framing is.
    expect(tokensOf([framing + 1, framing + 40])).toBeLessThanOrEqual(guess)
  }
  expect(tokensOf([])).toBe(0)
})

it('[B6] takes one large frame for text, and not for framing', () => {
  expect(tokensOf([20_512])).toBe(4_000)
})
