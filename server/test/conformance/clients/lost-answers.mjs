import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { reportCases } from './report-cases.mjs'
import { baseURL, key, pricedModel, readGeneration, url } from './surroundings.mjs'

const messages = [{ role: 'user', content: 'Hello there my friend' }]

/** A network that loses the first answer after the gateway has sent all of it. Notes what it carried. */
function losingFirst() {
  const carried = []
  const lossy = async (address, init) => {
    const response = await fetch(address, init)
    const id = response.headers.get('x-generation-id')
    const isReplayed = response.headers.get('x-weir-replayed') === 'true'
    carried.push({ id, isReplayed, idempotencyKey: new Headers(init.headers).get('idempotency-key') })
    if (carried.length > 1) return response
    await response.arrayBuffer()
    throw new TypeError('the connection was lost')
  }
  return { carried, fetch: lossy }
}

/** One request was charged: both answers have its id, and the second one was replayed. */
async function assertChargedOnce(carried) {
  assert.equal(carried.length, 2)
  const [lost, replayed] = carried
  assert.deepEqual([lost.isReplayed, replayed.isReplayed], [false, true])
  assert.equal(replayed.id, lost.id)
  assert.ok((await readGeneration(lost.id)).total_cost > 0)
}

await reportCases({
  'openai: a lost answer is retried with the same key and charged once': async () => {
    const { carried, fetch } = losingFirst()
    const weir = new OpenAI({ baseURL, apiKey: key, fetch })
    const headers = { 'Idempotency-Key': randomUUID() }
    const answer = await weir.chat.completions.create({ model: pricedModel, messages }, { headers })
    assert.equal(answer.id, carried[0].id)
    await assertChargedOnce(carried)
  },

  'openai: a lost stream is retried with the same key and charged once': async () => {
    const { carried, fetch } = losingFirst()
    const weir = new OpenAI({ baseURL, apiKey: key, fetch })
    const headers = { 'Idempotency-Key': randomUUID() }
    const stream = await weir.chat.completions.create({ model: pricedModel, messages, stream: true }, { headers })
    let text = ''
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? ''
    assert.equal(text, 'Hello there my friend')
    await assertChargedOnce(carried)
  },

  '@anthropic-ai/sdk: a lost answer is retried with the same key and charged once': async () => {
    const { carried, fetch } = losingFirst()
    const weir = new Anthropic({ baseURL: url, apiKey: key, fetch })
    const headers = { 'Idempotency-Key': randomUUID() }
    await weir.messages.create({ model: pricedModel, max_tokens: 100, messages }, { headers })
    await assertChargedOnce(carried)
  },

  // Docs tell clients to set the header themselves. If a release begins to send one, they no longer have to.
  'neither sends a key unless it is told to': async () => {
    const network = losingFirst()
    const openai = new OpenAI({ baseURL, apiKey: key, fetch: network.fetch })
    await openai.chat.completions.create({ model: pricedModel, messages })
    const other = losingFirst()
    const anthropic = new Anthropic({ baseURL: url, apiKey: key, fetch: other.fetch })
    await anthropic.messages.create({ model: pricedModel, max_tokens: 100, messages })
    const keys = [...network.carried, ...other.carried].map(({ idempotencyKey }) => idempotencyKey)
    assert.deepEqual(keys, [null, null, null, null])
  },
})
