import assert from 'node:assert/strict'
import { constructLlmApi } from '@continuedev/openai-adapters'
import { reportCases } from '../clients/report-cases.mjs'
import { baseURL, key } from '../clients/surroundings.mjs'

// What Continue's autocompletion calls in an editor, with the settings of its configuration.
const weir = constructLlmApi({ provider: 'mistral', apiBase: `${baseURL}/`, apiKey: key })
const openai = constructLlmApi({ provider: 'openai', apiBase: `${baseURL}/`, apiKey: key })
const { signal } = new AbortController()
const settings = { model: 'test/echo', max_tokens: 50, temperature: 0.01, stop: ['<|endoftext|>'] }

await reportCases({
  'fills a gap': async () => {
    const chunks = await collect(weir.fimStream({ ...settings, prompt: 'Hello there', suffix: '', stream: true }, signal))
    assert.equal(chunks.map(({ choices }) => choices[0].delta.content ?? '').join(''), 'Hello there')
  },

  'continues a text': async () => {
    const chunks = await collect(openai.completionStream({ ...settings, prompt: 'Hello there', stream: true }, signal))
    assert.equal(chunks.map(({ choices }) => choices[0]?.text ?? '').join(''), 'Hello there')
  },

  'says twice what the model says twice': async () => {
    for (const prompt of ['Hello there', 'Once more']) {
      const { choices } = await openai.completionNonStream({ ...settings, prompt, stream: false }, signal)
      assert.equal(choices[0].text, prompt)
    }
  },
})

async function collect(stream) {
  const chunks = []
  for await (const chunk of stream) chunks.push(chunk)
  return chunks
}
