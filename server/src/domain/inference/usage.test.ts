import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addClasses,
  completionTokensOf,
  disjointUsage,
  isZeroUsage,
  noUsage,
  promptTokensOf,
  type ReportedUsage,
  type Usage,
  withCachedAudio,
  withSearches,
} from './usage.ts'

const count = fc.nat(1_000_000)
const reported: fc.Arbitrary<ReportedUsage> = fc.record(
  {
    prompt: count,
    completion: count,
    cacheRead: count,
    cacheWrite5m: count,
    cacheWrite1h: count,
    audioInput: count,
    reasoning: count,
    imageOutput: count,
    audioOutput: count,
  },
  { requiredKeys: ['prompt', 'completion'] },
)
const habits = fc.record({ promptIncludesCache: fc.boolean(), completionIncludesReasoning: fc.boolean() })

describe('the one normaliser', () => {
  it('[P9] [USAGE-12] gives classes that sum to the totals, whichever figures contain which', () => {
    fc.assert(
      fc.property(reported, habits, (report, habit) => {
        const usage = disjointUsage(report, habit)
        const { cacheRead = 0, cacheWrite5m = 0, cacheWrite1h = 0, reasoning = 0 } = report
        const cache = habit.promptIncludesCache ? 0 : cacheRead + cacheWrite5m + cacheWrite1h
        expect(promptTokensOf(usage)).toBe(report.prompt + cache)
        expect(completionTokensOf(usage)).toBe(report.completion + (habit.completionIncludesReasoning ? 0 : reasoning))
      }),
    )
  })

  it('[P9] gives no negative class, also where a vendor contradicts itself', () => {
    fc.assert(
      fc.property(reported, habits, (report, habit) => {
        for (const tokens of Object.values(disjointUsage(report, habit))) expect(tokens).toBeGreaterThanOrEqual(0)
      }),
    )
  })

  it('[USAGE-12] counts cached tokens once, inside the prompt (OpenAI) or beside it (Anthropic)', () => {
    const inside = { promptIncludesCache: true, completionIncludesReasoning: true }
    const beside = { promptIncludesCache: false, completionIncludesReasoning: true }
    const expected = { ...noUsage, uncachedInput: 70, cacheRead: 20, cacheWrite5m: 10, textOutput: 5 }
    const counts = { completion: 5, cacheRead: 20, cacheWrite5m: 10 }
    expect(disjointUsage({ prompt: 100, ...counts }, inside)).toEqual(expected)
    expect(disjointUsage({ prompt: 70, ...counts }, beside)).toEqual(expected)
  })

  it('[USAGE-13] counts reasoning once, inside the completion (OpenAI) or beside it (xAI)', () => {
    const inside = { promptIncludesCache: true, completionIncludesReasoning: true }
    const beside = { promptIncludesCache: true, completionIncludesReasoning: false }
    const expected = { ...noUsage, uncachedInput: 1, textOutput: 9, reasoningOutput: 94 }
    expect(disjointUsage({ prompt: 1, completion: 103, reasoning: 94 }, inside)).toEqual(expected)
    expect(disjointUsage({ prompt: 1, completion: 9, reasoning: 94 }, beside)).toEqual(expected)
  })
})

it('[P8] [HOLD-07] only a record of zeros is zero usage', () => {
  expect(isZeroUsage(noUsage)).toBe(true)
  for (const item of Object.keys(noUsage)) expect(isZeroUsage({ ...noUsage, [item]: 1 })).toBe(false)
})

describe('[M1] [M2] searches', () => {
  it('are counted beside the tokens, with what their price depends on', () => {
    const usage = withSearches(noUsage, { webSearches: 2, citationTokens: 3, contextSize: 'high' })
    expect(usage).toEqual({
      ...noUsage,
      media: { webSearches: 2, citationTokens: 3, variant: { search_context_size: 'high' } },
    })
    expect(promptTokensOf(usage)).toBe(0)
    expect(isZeroUsage(usage)).toBe(false)
  })

  it.each([{}, { webSearches: 0, citationTokens: 0, contextSize: 'low' }, { webSearches: undefined }])(
    'that were not made leave the usage as it is: %j',
    (searches) => {
      expect(withSearches(noUsage, searches)).toEqual(noUsage)
    },
  )

  it('are counted by themselves too', () => {
    expect(withSearches(noUsage, { citationTokens: 7 }).media).toEqual({ citationTokens: 7 })
    expect(withSearches(noUsage, { webSearches: 1 }).media).toEqual({ webSearches: 1 })
  })
})

describe('classes with a value each', () => {
  const one = {
    uncachedInput: 1,
    cacheRead: 2,
    cacheWrite5m: 4,
    cacheWrite1h: 8,
    audioInput: 16,
    textOutput: 32,
    reasoningOutput: 64,
    imageOutput: 128,
    audioOutput: 256,
  }
  const hundredfold = {
    uncachedInput: 100,
    cacheRead: 200,
    cacheWrite5m: 400,
    cacheWrite1h: 800,
    audioInput: 1_600,
    textOutput: 3_200,
    reasoningOutput: 6_400,
    imageOutput: 12_800,
    audioOutput: 25_600,
  }

  it('are added class by class', () => {
    expect(addClasses(one, hundredfold)).toEqual({
      uncachedInput: 101,
      cacheRead: 202,
      cacheWrite5m: 404,
      cacheWrite1h: 808,
      audioInput: 1_616,
      textOutput: 3_232,
      reasoningOutput: 6_464,
      imageOutput: 12_928,
      audioOutput: 25_856,
    })
  })

  it('are of the prompt or of the answer, and images of the prompt count with it', () => {
    expect(promptTokensOf(one)).toBe(31)
    expect(promptTokensOf({ ...one, media: { inputImageTokens: 1_000, inputImages: 5 } })).toBe(1_031)
    expect(completionTokensOf(one)).toBe(480)
  })

  it.each([
    [0, undefined],
    [1, 1],
    [200, 200],
    // At most as many as were read from the cache.
    [201, 200],
  ])('have %i tokens of sound among those from the cache: %s', (tokens, cachedAudioTokens) => {
    const usage = { ...hundredfold, media: { webSearches: 3 } }
    const media = cachedAudioTokens === undefined ? { webSearches: 3 } : { webSearches: 3, cachedAudioTokens }
    expect(withCachedAudio(usage, tokens)).toEqual({ ...hundredfold, media })
  })
})

describe('searches beside the tokens', () => {
  const usage: Usage = { ...noUsage, textOutput: 5, media: { inputImages: 2 } }
  it.each([
    [{}, { inputImages: 2 }],
    [{ webSearches: 0, citationTokens: 0, contextSize: 'high' }, { inputImages: 2 }],
    [{ webSearches: 3 }, { inputImages: 2, webSearches: 3 }],
    [{ citationTokens: 4 }, { inputImages: 2, citationTokens: 4 }],
    [
      { webSearches: 1, citationTokens: 1, contextSize: 'high' },
      { inputImages: 2, webSearches: 1, citationTokens: 1, variant: { search_context_size: 'high' } },
    ],
  ])('%j are kept with what there is', (reported, media) => {
    expect(withSearches(usage, reported)).toEqual({ ...usage, media })
  })
})

describe('a report without anything', () => {
  it.each<[string, Usage, boolean]>([
    ['nothing', noUsage, true],
    ['media of zero', { ...noUsage, media: { outputImages: 0, variant: { size: 'large' } } }, true],
    ['a token of the prompt', { ...noUsage, cacheWrite1h: 1 }, false],
    ['a token of the answer', { ...noUsage, audioOutput: 1 }, false],
    ['an image', { ...noUsage, media: { outputImages: 1, webSearches: 0 } }, false],
  ])('is %s: %3$s', (_what, usage, isZero) => {
    expect(isZeroUsage(usage)).toBe(isZero)
  })
})
