import { expect, it } from 'vitest'
import { assert } from '#lib/assert.ts'
import { type JsonObject, parseJsonObject } from '#lib/json.ts'
import type { Target } from '#providers/protocol.ts'
import { openai } from '#providers/vendors/openai/index.ts'
import { xai } from '#providers/vendors/xai/index.ts'
import { relayResponses } from './relay-request.ts'

assert(openai.onResponses !== undefined && xai.onResponses !== undefined, 'both speak it')
const target: Target = {
  vendor: openai.onResponses,
  baseUrl: null,
  credential: 'sk-x',
  upstreamModel: 'gpt-5-pro',
  openAiFamily: true,
}
const grok: Partial<Target> = { vendor: xai.onResponses, upstreamModel: 'grok-4.3', openAiFamily: false }

function relay(body: JsonObject, where: Partial<Target> = {}, call: { stream?: boolean; maxTokens?: number } = {}) {
  const { stream = false, maxTokens = null } = call
  const request = relayResponses(
    { body: { model: 'ours', input: 'Hi', ...body }, stream, maxTokens },
    { ...target, ...where },
  )
  return { ...request, body: parseJsonObject(request.body) ?? {} }
}

it('passes what it does not know, and says what is the gateway’s to say', () => {
  const { origin, path, body, ignored } = relay(
    { something_new: 1, instructions: null, store: true, max_output_tokens: 9, provider: { order: [] }, stream: false },
    {},
    { maxTokens: 500 },
  )
  expect(origin + path).toBe('https://api.openai.com/v1/responses')
  expect(body).toEqual({
    model: 'gpt-5-pro',
    input: 'Hi',
    something_new: 1,
    max_output_tokens: 500,
    store: false,
    include: ['reasoning.encrypted_content'],
    stream: false,
  })
  expect(ignored).toEqual([])
})

it('adds what it asks to be included to what the client asks', () => {
  const include = ['message.output_text.logprobs', 'reasoning.encrypted_content']
  expect(relay({ include }).body.include).toEqual(include)
  expect(relay({ include: ['a'] }).body.include).toEqual(['a', 'reasoning.encrypted_content'])
  expect(relay({ include: ['a'] }, { upstreamModel: 'gpt-4o' }).body.include).toEqual(['a'])
})

it('leaves out and names what this host would refuse', () => {
  const fields = { seed: 7, stop: 'x', plugins: [], temperature: 0.5, top_p: 1, user: 'u', metadata: { a: 'b' } }
  const told = relay(fields, {}, { maxTokens: 3 })
  expect(told.ignored).toEqual(['max_output_tokens', 'seed', 'stop', 'plugins', 'temperature', 'top_p'])
  expect(told.body).toMatchObject({ user: 'u', metadata: { a: 'b' }, max_output_tokens: 16 })
  const plain = relay(fields, { upstreamModel: 'gpt-4o' })
  expect(plain.ignored).toEqual(['seed', 'stop', 'plugins'])
  const resting = relay({ temperature: 0.5, reasoning: { effort: 'none' } })
  expect(resting).toMatchObject({ body: { temperature: 0.5 }, ignored: [] })
  const other = relay(fields, grok)
  expect(other.ignored).toEqual(['stop', 'plugins', 'user'])
  expect(other.body).toMatchObject({ seed: 7, temperature: 0.5, top_p: 1 })
})

it.each([
  [
    { effort: 'high', summary: 'detailed', mode: 'pro' },
    { effort: 'high', summary: 'detailed', mode: 'pro' },
  ],
  [{ max_tokens: 20_000 }, { effort: 'high' }],
  [{ effort: 'low', summary: 'auto', exclude: true }, { effort: 'low' }],
  [{ enabled: true, effort: 'low' }, { effort: 'low' }],
  [{ exclude: true }, undefined],
  [{ enabled: false, max_tokens: 5_000 }, undefined],
  [{}, undefined],
])('says a wish for thinking of %j as %j', (reasoning, told) => {
  expect(relay({ reasoning }).body.reasoning).toEqual(told)
  expect(relay({ reasoning }, { upstreamModel: 'gpt-4o' }).body).not.toHaveProperty('reasoning')
})

it('passes the one option of a stream that there is', () => {
  const stream_options = { include_obfuscation: false, include_usage: true }
  expect(relay({ stream_options }, {}, { stream: true }).body).toMatchObject({
    stream: true,
    stream_options: { include_obfuscation: false },
  })
  expect(relay({ stream_options: { include_usage: true } }, {}, { stream: true }).body).not.toHaveProperty(
    'stream_options',
  )
  expect(relay({ stream_options }).body).not.toHaveProperty('stream_options')
})

it.each([
  ['priority', false, undefined],
  ['fast', false, undefined],
  ['priority', true, 'priority'],
  ['priority', undefined, 'priority'],
  ['flex', false, 'flex'],
])('asks to be served as %s where priority has a price (%s): %s', (tier, pricesPriority, sent) => {
  const { body, ignored } = relay(
    { service_tier: tier },
    pricesPriority === undefined ? {} : { prices: { priority: pricesPriority, webSearch: true } },
  )
  expect(body.service_tier).toBe(sent)
  expect(ignored).toEqual(sent === undefined ? ['service_tier'] : [])
})
