import { expect, it } from 'vitest'
import { noUsage } from '#domain/inference/usage.ts'
import { worstSpeech } from './worst-speech.ts'

it('is the characters of the text, for models that are charged by them', () => {
  const most = { ...noUsage, media: { inputCharacters: 3 } }
  expect(worstSpeech('a😀é')).toEqual(most)
  expect(worstSpeech('a😀é', { author: 'openai', maxCompletionTokens: 500 })).toEqual(most)
})

it('is every byte of the text and all sound up to the cap, for models that are charged by tokens', () => {
  const most = { ...noUsage, uncachedInput: 7 + 16, media: { inputCharacters: 3 } }
  expect(worstSpeech('a😀é', { author: 'google', maxCompletionTokens: null })).toEqual({ ...most, audioOutput: 16_384 })
  expect(worstSpeech('a😀é', { author: 'google', maxCompletionTokens: 8_192 })).toEqual({ ...most, audioOutput: 8_192 })
})
