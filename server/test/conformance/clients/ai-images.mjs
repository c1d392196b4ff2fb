import assert from 'node:assert/strict'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { APICallError, generateImage } from 'ai'
import { expectedFailure, reportCases } from './report-cases.mjs'
import { baseURL, failureOf, fetchOurs, imageModel, key, pngBytes, pricedModel } from './surroundings.mjs'

const weir = createOpenAICompatible({ name: 'weir', baseURL, apiKey: key, fetch: fetchOurs })
const openai = createOpenAI({ baseURL, apiKey: key })
const model = weir.imageModel(imageModel)

await reportCases({
  'generateImage, openai-compatible': async () => {
    const { image, usage } = await generateImage({ model, prompt: 'A fox', size: '1024x1024', maxRetries: 0 })
    assert.equal(image.mediaType, 'image/png')
    assert.equal(usage.outputTokens, 1_056)
  },

  'generateImage of two, openai-compatible': async () => {
    const { images } = await generateImage({ model, prompt: 'A fox', n: 2, maxRetries: 0 })
    assert.equal(images.length, 2)
  },

  'generateImage from an image, openai-compatible': async () => {
    const prompt = { text: 'Make it blue', images: [new Uint8Array(pngBytes)] }
    const { image } = await generateImage({ model, prompt, maxRetries: 0 })
    assert.equal(image.mediaType, 'image/png')
  },

  'a chat model: 400, openai-compatible': async () => {
    const error = await failureOf(() =>
      generateImage({ model: weir.imageModel(pricedModel), prompt: 'A fox', maxRetries: 0 }),
    )
    assert.ok(APICallError.isInstance(error), `${error}`)
    assert.equal(error.statusCode, 400)
    assert.match(error.message, /GET \/v1\/images\/models/)
  },

  // This client only reads base64, and requests it for unknown models.
  'generateImage, openai': expectedFailure(/always returned as URLs/, () =>
    generateImage({ model: openai.imageModel(imageModel), prompt: 'A fox', maxRetries: 0 }),
  ),

  'generateImage of a name it knows, openai': expectedFailure(/b64_json|Invalid JSON response/, () =>
    generateImage({ model: openai.imageModel('gpt-image-1.5'), prompt: 'A fox', maxRetries: 0 }),
  ),
})
