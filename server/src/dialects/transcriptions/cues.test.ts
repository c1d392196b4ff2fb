import { describe, expect, it } from 'vitest'
import type { Spoken, TranscriptionResult } from '#domain/media/media-result.ts'
import { cpuGrowth } from '#test/setup/cpu-growth.ts'
import { cuesOf } from './cues.ts'

const spoken = (startS: number, endS: number, text = 'Hello'): Spoken => ({ text, startS, endS })

const spaced = (size: number) => ({ segments: [spoken(0, 1, `a${' '.repeat(size)}b`)] })

function result(changes: Partial<TranscriptionResult>): TranscriptionResult {
  return {
    kind: 'transcription',
    text: 'Hello there.',
    language: null,
    durationS: null,
    segments: null,
    words: null,
    usage: null,
    ...changes,
  }
}

const shown = (changes: Partial<TranscriptionResult>) =>
  cuesOf(result(changes)).map(({ startMs, endMs, text }) => [startMs, endMs, text])

describe('the cues of a transcription', () => {
  it('are its segments, rounded to the nearest millisecond', () => {
    expect(shown({ segments: [spoken(0.0004, 1.2345), spoken(1.2345, 2.9999, ' Bye ')] })).toEqual([
      [0, 1_235, 'Hello'],
      [1_235, 3_000, 'Bye'],
    ])
  })

  it('end where the next begins, unless both begin together', () => {
    expect(shown({ segments: [spoken(0, 5), spoken(3, 6, 'Bye')] })).toEqual([
      [0, 3_000, 'Hello'],
      [3_000, 6_000, 'Bye'],
    ])
    expect(shown({ segments: [spoken(1, 5), spoken(1, 6, 'Bye')] })).toEqual([
      [1_000, 5_000, 'Hello'],
      [1_000, 6_000, 'Bye'],
    ])
  })

  it('are put in order, and none ends before it begins', () => {
    expect(shown({ segments: [spoken(4, 2, 'late'), spoken(0, 1)] })).toEqual([
      [0, 1_000, 'Hello'],
      [4_000, 4_000, 'late'],
    ])
  })

  it('hold no blank lines, and those without a text are left out', () => {
    expect(shown({ segments: [spoken(0, 1, 'a\r\n\r\n b'), spoken(1, 2, '  '), spoken(2, 3, 'c')] })).toEqual([
      [0, 1_000, 'a\nb'],
      [2_000, 3_000, 'c'],
    ])
  })

  it('are lines of words where there are no segments: a new one after a sentence, a silence, or when it is long', () => {
    const words = [spoken(0, 0.4, 'One'), spoken(0.4, 0.8, 'two.'), spoken(0.9, 1.2, 'Three'), spoken(3, 3.4, 'four')]
    expect(shown({ words })).toEqual([
      [0, 800, 'One two.'],
      [900, 1_200, 'Three'],
      [3_000, 3_400, 'four'],
    ])
    const many = Array.from({ length: 60 }, (_, index) => spoken(index * 0.1, index * 0.1 + 0.1, 'word'))
    expect(cuesOf(result({ words: many })).every(({ text }) => text.length <= 80)).toBe(true)
    const slow = Array.from({ length: 12 }, (_, index) => spoken(index, index + 0.9, 'a'))
    expect(cuesOf(result({ words: slow })).map(({ startMs }) => startMs)).toEqual([0, 7_000])
  })

  it('are one for as long as the recording lasts where nothing else is known, and none where nothing was said', () => {
    expect(shown({ durationS: 4.2 })).toEqual([[0, 4_200, 'Hello there.']])
    expect(shown({})).toEqual([[0, 1_000, 'Hello there.']])
    expect(shown({ text: '', durationS: 4.2 })).toEqual([])
    expect(shown({ segments: [] })).toEqual([])
    expect(shown({ words: [] })).toEqual([])
  })

  it('take linear time, however much white space an upstream puts into them', () => {
    const growth = cpuGrowth({ inputOf: spaced, run: (changes) => cuesOf(result(changes)) })
    expect(growth).toMatchObject({ isWithin: true })
    const { segments } = spaced(100_000)
    expect(shown({ segments })).toEqual([[0, 1_000, segments[0]?.text]])
  })
})
