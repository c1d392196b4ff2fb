import assert from 'node:assert/strict'
import OpenAI, { BadRequestError, NotFoundError } from 'openai'
import { reportCases } from './report-cases.mjs'
import { baseURL, claude, claudeTurn, key, lastSentToClaude, pricedModel, talkingClaude } from './surroundings.mjs'

const weir = new OpenAI({ baseURL, apiKey: key, maxRetries: 0 })
const { responses } = weir
const input = 'Hello there my friend'
const stored = { model: pricedModel, input, store: true }

/** The texts of the input items, oldest first. */
async function textsOf(id, query = {}) {
  const items = []
  for await (const item of responses.inputItems.list(id, { order: 'asc', ...query })) items.push(item)
  assert.ok(items.every((item) => typeof item.id === 'string'))
  return items.map(({ content }) => content.map(({ text }) => text).join(''))
}

await reportCases({
  'create and retrieve': async () => {
    const made = await responses.create(stored)
    assert.equal(made.store, true)
    const found = await responses.retrieve(made.id)
    assert.deepEqual({ ...found, _request_id: null }, { ...made, _request_id: null })
    assert.equal(found.output_text, input)
  },

  'a stream, and retrieve': async () => {
    let last
    for await (const event of await responses.create({ ...stored, stream: true })) last = event
    assert.equal(last.type, 'response.completed')
    assert.equal((await responses.retrieve(last.response.id)).output_text, input)
  },

  'two turns by previous_response_id': async () => {
    const first = await responses.create(stored)
    const second = await responses.create({ ...stored, input: 'Once more', previous_response_id: first.id })
    assert.equal(second.output_text, 'Once more')
    assert.equal(second.previous_response_id, first.id)
    assert.deepEqual(await textsOf(second.id), [input, input, 'Once more'])
  },

  'two turns with the helper for streams': async () => {
    const first = await responses.stream({ model: pricedModel, input, store: true }).finalResponse()
    const second = responses.stream({ ...stored, input: 'Once more', previous_response_id: first.id })
    assert.equal((await second.finalResponse()).output_text, 'Once more')
  },

  'two turns with Claude, who gets the signed thought back': async () => {
    const { model, thought, signature } = talkingClaude
    const first = await responses.create({ model, input, store: true })
    await responses.create({ model, input: 'Once more', previous_response_id: first.id })
    const [thinking, said] = claudeTurn(await lastSentToClaude(talkingClaude))
    assert.deepEqual(thinking, { type: 'thinking', thinking: thought, signature })
    assert.equal(said.text, 'Hello')
  },

  'a call of a tool, and its result': async () => {
    const tools = [{ type: 'function', name: 'get_weather', parameters: { type: 'object', properties: {} }, strict: false }]
    const first = await responses.create({ model: claude.model, input, tools, store: true })
    const { call_id } = first.output.find(({ type }) => type === 'function_call')
    const result = [{ type: 'function_call_output', call_id, output: 'rain' }]
    await responses.create({ model: claude.model, input: result, tools, previous_response_id: first.id })
    const [thinking, call] = claudeTurn(await lastSentToClaude(claude))
    assert.deepEqual(thinking, { type: 'thinking', thinking: claude.thought, signature: claude.signature })
    assert.equal(call.id, claude.callId)
  },

  'input items by pages': async () => {
    const { id } = await responses.create({ ...stored, input: ['a', 'b', 'c'].map((text) => message(text)) })
    assert.deepEqual(await textsOf(id, { limit: 1 }), ['a', 'b', 'c'])
    assert.deepEqual(await textsOf(id, { order: 'desc', limit: 2 }), ['c', 'b', 'a'])
  },

  'delete': async () => {
    const { id } = await responses.create(stored)
    await responses.delete(id)
    await assert.rejects(responses.retrieve(id), NotFoundError)
    await assert.rejects(
      responses.create({ ...stored, previous_response_id: id }),
      (error) => error instanceof BadRequestError && error.code === 'previous_response_not_found',
    )
  },

  'background, polled to its end': async () => {
    const begun = await responses.create({ model: pricedModel, input, background: true })
    assert.equal(begun.status, 'queued')
    let polled = begun
    while (polled.status === 'queued' || polled.status === 'in_progress') polled = await responses.retrieve(begun.id)
    assert.equal(polled.status, 'completed')
    assert.equal(polled.output_text, input)
    assert.deepEqual((await responses.cancel(begun.id)).output, polled.output)
  },

  'background, cancelled': async () => {
    const begun = await responses.create({ model: 'test/slow-30000', input, background: true })
    assert.equal((await responses.cancel(begun.id)).status, 'cancelled')
    assert.equal((await responses.retrieve(begun.id)).status, 'cancelled')
  },
})

function message(text) {
  return { role: 'user', content: [{ type: 'input_text', text }] }
}
