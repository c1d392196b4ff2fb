import { expect, it } from 'vitest'
import { wavLengthMs } from './wav-length.ts'
import { wavOf } from './wav-of.ts'

it('lasts as long as its samples do, by its own header', () => {
  const wave = wavOf(Buffer.alloc(48_000), 24_000)
  expect(wave.length).toBe(48_044)
  expect(wavLengthMs(wave, wave.length)).toBe(1_000)
  expect([wave.readUInt32LE(4), wave.readUInt32LE(40)]).toEqual([48_036, 48_000])
})
