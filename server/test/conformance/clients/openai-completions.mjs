import assert from 'node:assert/strict'
import OpenAI, { BadRequestError } from 'openai'
import { reportCases } from './report-cases.mjs'
import { baseURL, failureOf, key } from './surroundings.mjs'

const weir = new OpenAI({ baseURL, apiKey: key, maxRetries: 0 })
const asked = { model: 'test/echo', prompt: 'Once upon a time', max_tokens: 20 }

await reportCases({
  'create a completion': async () => {
    const { data, response } = await weir.completions.create({ ...asked, echo: true }).withResponse()
    assert.equal(data.object, 'text_completion')
    assert.ok(data.choices[0].text.startsWith(asked.prompt))
    assert.equal(data.choices[0].finish_reason, 'stop')
    assert.ok(data.usage.total_tokens > 0)
    assert.equal(response.headers.get('x-weir-translated'), 'chat')
  },

  'stream a completion': async () => {
    let text = ''
    let last
    for await (const chunk of await weir.completions.create({ ...asked, stream: true })) {
      text += chunk.choices[0]?.text ?? ''
      last = chunk
    }
    assert.ok(text.includes('Once'))
    assert.equal(last.choices[0].finish_reason, 'stop')
    assert.ok(last.usage.completion_tokens > 0)
  },

  'a gap that no provider can fill: 400': async () => {
    const error = await failureOf(() => weir.completions.create({ ...asked, suffix: 'the end' }))
    assert.ok(error instanceof BadRequestError)
    assert.equal(error.code, 'unsupported_param')
  },
})
