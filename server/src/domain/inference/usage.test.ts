import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  completionTokensOf,
  disjointUsage,
  isZeroUsage,
  noUsage,
  promptTokensOf,
  type ReportedUsage,
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
