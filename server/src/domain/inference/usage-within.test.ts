import { describe, expect, it } from 'vitest'
import { usageWithin } from './usage-within.ts'
import { noUsage } from './usage.ts'

const most = { promptTokens: 100, outputTokens: 50, imageTokens: 30, webSearches: 2, citationTokens: 7 }

describe('a report cut to the most that it can be', () => {
  it.each([
    ['what is within it stays', { uncachedInput: 100, textOutput: 50, imageOutput: 30 }, {}],
    ['a prompt', { uncachedInput: 101 }, { uncachedInput: 100 }],
    ['a prompt in classes', { uncachedInput: 60, cacheRead: 60, audioInput: 9 }, { cacheRead: 40, audioInput: 0 }],
    ['output', { textOutput: 51 }, { textOutput: 50 }],
    [
      'output in classes',
      { textOutput: 20, reasoningOutput: 31, audioOutput: 4 },
      { reasoningOutput: 30, audioOutput: 0 },
    ],
    ['images', { imageOutput: 31, textOutput: 50 }, { imageOutput: 30 }],
  ])('%s', (_name, given, changed) => {
    expect(usageWithin({ ...noUsage, ...given }, most)).toEqual({ ...noUsage, ...given, ...changed })
  })

  it('cuts searches, quotes and images that were shown', () => {
    const media = { webSearches: 3, citationTokens: 8, inputImageTokens: 41, inputImages: 5 }
    expect(usageWithin({ ...noUsage, uncachedInput: 60, media }, most).media).toEqual({
      webSearches: 2,
      citationTokens: 7,
      inputImageTokens: 40,
      inputImages: 5,
    })
    expect(usageWithin({ ...noUsage, media: { webSearches: 1, citationTokens: 6 } }, most).media).toEqual({
      webSearches: 1,
      citationTokens: 6,
    })
  })

  it('leaves out what the upstream says that the whole report costs', () => {
    expect(usageWithin({ ...noUsage, media: { statedNano: 9, inputImages: 1 } }, most).media).toEqual({
      inputImages: 1,
    })
  })
})
