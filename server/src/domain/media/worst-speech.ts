import type { Model } from '#domain/catalogue/model.ts'
import { noUsage, type Usage } from '#domain/inference/usage.ts'
import { charactersIn, isSpokenInTokens } from './speech.ts'

// The cap on the output of every Gemini model that speaks: eleven minutes at 25 tokens a second.
const audioTokensMax = 16_384
// What an upstream puts around a text to make a prompt of it.
const framingTokens = 16

/**
 * The most that speaking a text may come to, in the unit that the model is counted in. No token is shorter than a byte.
 */
export function worstSpeech(input: string, model?: Pick<Model, 'author' | 'maxCompletionTokens'>): Usage {
  const media = { inputCharacters: charactersIn(input) }
  if (model === undefined || !isSpokenInTokens(model)) return { ...noUsage, media }
  return {
    ...noUsage,
    uncachedInput: Buffer.byteLength(input) + framingTokens,
    audioOutput: model.maxCompletionTokens ?? audioTokensMax,
    media,
  }
}
