import assert from 'node:assert/strict'
import OpenAI, { BadRequestError, toFile } from 'openai'
import { reportCases } from './report-cases.mjs'
import { baseURL, failureOf, hearingModel, key, pricedModel } from './surroundings.mjs'

const weir = new OpenAI({ baseURL, apiKey: key, maxRetries: 0 })
const model = 'test/moderation'
const sound = await toFile(Buffer.from('RIFF____WAVEfmt ', 'latin1'), 'speech.wav')

await reportCases({
  'moderate several texts': async () => {
    const { results } = await weir.moderations.create({ model, input: ['a calm day', 'violence'] })
    assert.deepEqual(
      results.map(({ flagged, categories }) => [flagged, categories.violence]),
      [
        [false, false],
        [true, true],
      ],
    )
  },

  'moderate a text and an image': async () => {
    const url = 'data:image/png;base64,iVBORw0KGgo='
    const input = [{ type: 'text', text: 'hate' }, { type: 'image_url', image_url: { url } }]
    const { results } = await weir.moderations.create({ model, input })
    assert.equal(results.length, 1)
    assert.equal(results[0].categories.hate, true)
  },

  'moderate with a chat model: 400': async () => {
    const error = await failureOf(() => weir.moderations.create({ model: pricedModel, input: 'Hi' }))
    assert.ok(error instanceof BadRequestError)
    assert.equal(error.code, 'model_endpoint_mismatch')
  },

  'translate a recording': async () => {
    const translation = await weir.audio.translations.create({ model: hearingModel, file: sound })
    assert.equal(translation.text, 'Hello there. How are you?')
  },
})
