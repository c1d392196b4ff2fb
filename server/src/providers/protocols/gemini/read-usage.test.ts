import { expect, it } from 'vitest'
import { noUsage } from '#domain/inference/usage.ts'
import { readUsage } from './read-usage.ts'

it('V13: sound that came from the cache is told apart from words that did', () => {
  const usageMetadata = {
    promptTokenCount: 1_000,
    candidatesTokenCount: 5,
    cachedContentTokenCount: 600,
    promptTokensDetails: [
      { modality: 'TEXT', tokenCount: 500 },
      { modality: 'AUDIO', tokenCount: 500 },
    ],
    cacheTokensDetails: [
      { modality: 'TEXT', tokenCount: 200 },
      { modality: 'AUDIO', tokenCount: 400 },
    ],
  }
  expect(readUsage({ usageMetadata })).toEqual({
    ...noUsage,
    uncachedInput: 300,
    cacheRead: 600,
    audioInput: 100,
    textOutput: 5,
    media: { cachedAudioTokens: 400 },
  })
  const { cacheTokensDetails: _, ...words } = usageMetadata
  expect(readUsage({ usageMetadata: words })).not.toHaveProperty('media')
})
