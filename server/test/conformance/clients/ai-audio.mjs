import assert from 'node:assert/strict'
import { createOpenAI } from '@ai-sdk/openai'
import * as ai from 'ai'
import { reportCases } from './report-cases.mjs'
import { baseURL, failureOf, hearingModel, key, pricedModel, speechModel } from './surroundings.mjs'

// Both functions were experimental under other names for a long time.
const generateSpeech = ai.generateSpeech ?? ai.experimental_generateSpeech
const transcribe = ai.transcribe ?? ai.experimental_transcribe
const weir = createOpenAI({ baseURL, apiKey: key })
const audio = Buffer.from('RIFF....WAVE')

await reportCases({
  generateSpeech: async () => {
    const model = weir.speech(speechModel)
    const { audio: made } = await generateSpeech({ model, text: 'Hello', voice: 'alloy', maxRetries: 0 })
    assert.equal(made.uint8Array.length, 5_000)
    assert.equal(made.mediaType, 'audio/mpeg')
  },

  'generateSpeech with a chat model: 400': async () => {
    const model = weir.speech(pricedModel)
    const error = await failureOf(() => generateSpeech({ model, text: 'Hello', voice: 'alloy', maxRetries: 0 }))
    assert.ok(ai.APICallError.isInstance(error), `${error}`)
    assert.equal(error.statusCode, 400)
  },

  transcribe: async () => {
    const result = await transcribe({ model: weir.transcription(hearingModel), audio, maxRetries: 0 })
    assert.equal(result.text, 'Hello there. How are you?')
    assert.equal(result.language, 'en')
    assert.equal(result.durationInSeconds, 8.470000267028809)
    assert.deepEqual(result.segments[0], { text: ' Hello there.', startSecond: 0, endSecond: 2.5 })
  },

  'transcribe with hints': async () => {
    const providerOptions = { openai: { language: 'en', prompt: 'Weir', temperature: 0 } }
    const model = weir.transcription(hearingModel)
    const result = await transcribe({ model, audio, providerOptions, maxRetries: 0 })
    assert.equal(result.text, 'Hello there. How are you?')
  },
})
