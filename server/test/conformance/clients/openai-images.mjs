import assert from 'node:assert/strict'
import OpenAI, { BadRequestError, toFile } from 'openai'
import { reportCases } from './report-cases.mjs'
import { baseURL, failureOf, fetchOurs, imageModel, key, pngBytes, pricedModel, readGeneration } from './surroundings.mjs'

const weir = new OpenAI({ baseURL, apiKey: key, maxRetries: 0 })
const order = { model: imageModel, prompt: 'A fox' }
const picture = () => toFile(pngBytes, 'fox.png', { type: 'image/png' })

async function assertImages(answer, count) {
  assert.ok(Number.isInteger(answer.created))
  assert.equal(answer.data.length, count)
  for (const { url } of answer.data) {
    const image = await fetchOurs(url)
    assert.deepEqual([image.status, image.headers.get('content-type')], [200, 'image/png'])
  }
}

await reportCases({
  'images.generate': async () => {
    const answer = await weir.images.generate({ ...order, size: '1024x1024' })
    await assertImages(answer, 1)
    assert.equal(answer.usage.output_tokens, 1_056)
  },

  'images.generate of two': async () => assertImages(await weir.images.generate({ ...order, n: 2 }), 2),

  'images.edit': async () => {
    await assertImages(await weir.images.edit({ ...order, image: await picture() }), 1)
  },

  'images.edit of several': async () => {
    const image = [await picture(), await picture()]
    await assertImages(await weir.images.edit({ ...order, image }), 1)
  },

  'the cost of a request': async () => {
    const { data: answer, response } = await weir.images.generate(order).withResponse()
    assert.ok(answer.usage.cost > 0)
    assert.equal((await readGeneration(response.headers.get('x-generation-id'))).total_cost, answer.usage.cost)
  },

  'base64: 400': async () => {
    const error = await failureOf(() => weir.images.generate({ ...order, response_format: 'b64_json' }))
    assert.ok(error instanceof BadRequestError)
    assert.equal(error.code, 'unsupported_response_format')
  },

  'a mask: 400': async () => {
    const [image, mask] = [await picture(), await picture()]
    const error = await failureOf(() => weir.images.edit({ ...order, image, mask }))
    assert.equal(error.code, 'mask_not_supported')
  },

  'a chat model: 400': async () => {
    const error = await failureOf(() => weir.images.generate({ ...order, model: pricedModel }))
    assert.equal(error.code, 'model_endpoint_mismatch')
  },
})
