import type { Model } from '#domain/catalogue/model.ts'
import { noUsage, type Usage } from '#domain/inference/usage.ts'
import { charactersIn, isSpokenInTokens } from './speech.ts'

// The output cap of every Gemini speech model: eleven minutes at 25 tokens a second.
const audioTokensMax = 16_384
// Tokens that an upstream adds to a text to build its prompt.
const framingTokens = 16

/** The maximum usage of speaking a text, in the units of the model. No token is shorter than a byte. */
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
