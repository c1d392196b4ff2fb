import { describe, expect, it } from 'vitest'
import { subRip, webVtt } from './render-transcription.ts'

const cue = (startMs: number, endMs: number, text = 'Hello') => ({ startMs, endMs, text })

describe('subtitles', () => {
  it('[AUDIO-04] SubRip numbers its cues from one and writes milliseconds behind a comma', () => {
    expect(subRip([cue(0, 1_500), cue(1_500, 61_007, 'two\nlines')])).toBe(
      '1\n00:00:00,000 --> 00:00:01,500\nHello\n\n2\n00:00:01,500 --> 00:01:01,007\ntwo\nlines\n\n',
    )
  })

  it('[AUDIO-04] WebVTT begins with its name and writes milliseconds behind a point', () => {
    expect(webVtt([cue(0, 1_500)])).toBe('WEBVTT\n\n00:00:00.000 --> 00:00:01.500\nHello\n\n')
  })

  it.each([
    [3_599_999, '00:59:59,999'],
    [3_600_000, '01:00:00,000'],
    [359_999_999, '99:59:59,999'],
    [360_000_000, '100:00:00,000'],
  ])('%i ms are %s', (ms, text) => {
    expect(subRip([cue(0, ms)])).toContain(` --> ${text}\n`)
  })

  it('has no cues where nothing was said', () => {
    expect(subRip([])).toBe('')
    expect(webVtt([])).toBe('WEBVTT\n\n')
  })

  it('lets no text look like times or markup', () => {
    expect(subRip([cue(0, 1, '00:01 --> 00:02')])).toContain('\n00:01 -> 00:02\n')
    expect(webVtt([cue(0, 1, 'a < b && c --> d <v Bob>')])).toContain(
      '\na &lt; b &amp;&amp; c --&gt; d &lt;v Bob&gt;\n',
    )
  })
})
