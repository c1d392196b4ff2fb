import { describe, expect, it } from 'vitest'
import { assert } from '#lib/assert.ts'
import { type JsonObject, parseJsonObject } from '#lib/json.ts'
import { findVendor } from '#providers/registry.ts'
import { openAiTarget } from '../openai-target.ts'
import { buildChatRequest, type ChatRequestInput } from './build-request.ts'

const messages = [{ role: 'user', content: 'Hi' }]

function build(slug: string, body: JsonObject, changes: Partial<ChatRequestInput> = {}) {
  const vendor = findVendor(slug)
  assert(vendor?.protocol === 'openai', `${slug} is a vendor of this protocol`)
  const target = openAiTarget({
    vendor,
    baseUrl: vendor.baseUrl === null ? 'http://127.0.0.1:8000/v1/' : null,
    credential: 'secret',
    upstreamModel: 'model-x',
    openAiFamily: false,
    ...changes,
  })
  const call = { body: { model: 'maker/model-x', messages, ...body }, stream: false, maxTokens: null }
  const request = buildChatRequest(target, { ...call, ...changes })
  return { ...request, sent: parseJsonObject(request.body) ?? {} }
}

describe('vendors with wishes', () => {
  it('[CHAT-09] tells Mistral the seed and forced tools in its own words', () => {
    const body = { seed: 7, tool_choice: 'required', max_completion_tokens: 3 }
    const { sent } = build('mistral', body, { maxTokens: 3 })
    expect(sent).toEqual({
      model: 'model-x',
      messages,
      stream: false,
      random_seed: 7,
      tool_choice: 'any',
      max_tokens: 3,
    })
  })

  it('sends Mistral no reasoning, and tool call ids of its own kind', () => {
    const call = { id: 'call_abcdefghijkl', type: 'function', function: { name: 'f', arguments: '{}' } }
    const history = [
      { role: 'assistant', content: null, reasoning: 'Hm', reasoning_details: [], tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call_abcdefghijkl', content: '1' },
      { role: 'tool', tool_call_id: 'D681PevKs', content: '2' },
    ]
    expect(build('mistral', { messages: history }).sent.messages).toEqual([
      { role: 'assistant', content: null, tool_calls: [{ ...call, id: 'call00000' }] },
      { role: 'tool', tool_call_id: 'call00000', content: '1' },
      { role: 'tool', tool_call_id: 'D681PevKs', content: '2' },
    ])
  })

  it('gives DeepSeek text as strings, and reasoning back with the tool calls that it led to', () => {
    const image = { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:' } }] }
    const history = [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
      { role: 'assistant', content: null, reasoning: 'Hm', reasoning_details: [{}], tool_calls: [{ id: 'c' }] },
      { role: 'assistant', content: 'c', reasoning: 'Hm' },
      image,
    ]
    expect(build('deepseek', { messages: history }).sent.messages).toEqual([
      { role: 'user', content: 'ab' },
      { role: 'assistant', content: null, reasoning_content: 'Hm', tool_calls: [{ id: 'c' }] },
      { role: 'assistant', content: 'c' },
      image,
    ])
  })

  it('[CHAT-11] gives Together stop strings as a list, and no plain response format', () => {
    const { sent } = build('together', { stop: 'END', response_format: { type: 'text' } })
    expect(sent).toEqual({ model: 'model-x', messages, stream: false, stop: ['END'] })
    const json = { type: 'json_object' }
    expect(build('together', { response_format: json }).sent.response_format).toEqual(json)
  })

  it('forces tools at Fireworks in its own word, and leaves other choices alone', () => {
    expect(build('fireworks', { tool_choice: 'required' }).sent.tool_choice).toBe('any')
    expect(build('fireworks', { tool_choice: 'none' }).sent.tool_choice).toBe('none')
  })

  const extras = {
    top_k: 3,
    min_p: 0.1,
    top_a: 0.1,
    repetition_penalty: 1.1,
    structured_outputs: true,
    image_config: {},
  }

  it.each([
    ['openai', []],
    ['azure', []],
    ['groq', []],
    ['cerebras', []],
    ['mistral', []],
    ['together', ['top_k', 'min_p', 'repetition_penalty']],
    ['fireworks', ['top_k', 'min_p', 'repetition_penalty']],
    ['openrouter', Object.keys(extras)],
    ['vllm', Object.keys(extras)],
  ])('[W9] sends %s the optional fields that it knows, and names the others', (slug, taken) => {
    const { sent, ignored } = build(slug, extras)
    const { model: _model, messages: _messages, stream: _stream, ...rest } = sent
    expect(Object.keys(rest)).toEqual(taken)
    expect(ignored).toEqual(Object.keys(extras).filter((name) => !taken.includes(name)))
  })

  const thoughts = { reasoning: 'Hm', reasoning_details: [{}], reasoning_content: 'Hm' }

  it.each<[slug: string, kept: JsonObject]>([
    ['openai', {}],
    ['azure', {}],
    ['groq', {}],
    ['fireworks', {}],
    ['mistral', {}],
    ['cerebras', { reasoning: 'Hm' }],
    ['openrouter', thoughts],
    ['vllm', thoughts],
  ])('[W10] sends %s earlier thoughts as it knows them', (slug, kept) => {
    const said = { role: 'assistant', content: 'c' }
    const { sent } = build(slug, { messages: [...messages, { ...said, ...thoughts }] })
    expect(sent.messages).toEqual([...messages, { ...said, ...kept }])
  })

  it('[W11] gives DeepSeek V4 its thoughts back on every turn', () => {
    const history = [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b', reasoning: 'Hm', reasoning_details: [{}] },
      { role: 'assistant', content: 'c' },
    ]
    const { sent } = build('deepseek', { messages: history }, { upstreamModel: 'deepseek-v4-pro' })
    expect(sent.messages).toEqual([
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b', reasoning_content: 'Hm' },
      { role: 'assistant', content: 'c', reasoning_content: '' },
    ])
  })

  it('[W17] tells a deployment with a name of its own the cap by our id of its model', () => {
    const where = { upstreamModel: 'my-deployment', maxTokens: 9 }
    expect(build('azure', {}, { ...where, model: 'openai/gpt-5.2' }).sent).toMatchObject({ max_completion_tokens: 9 })
    expect(build('azure', {}, { ...where, model: 'openai/gpt-4.1' }).sent).toMatchObject({ max_tokens: 9 })
  })

  it('[W18] asks Together for log-probabilities with a number', () => {
    const ask = (body: JsonObject) => build('together', body, { openAiFamily: true }).sent
    expect(ask({ logprobs: true, top_logprobs: 4 })).toMatchObject({ logprobs: 4 })
    expect(ask({ logprobs: true })).toMatchObject({ logprobs: 1 })
    expect(ask({ logprobs: false })).not.toHaveProperty('logprobs')
    expect(ask({ logprobs: true, top_logprobs: 4 })).not.toHaveProperty('top_logprobs')
    expect(build('together', { user: 'u', service_tier: 'x' }, { openAiFamily: true }).ignored).toEqual([
      'user',
      'service_tier',
    ])
  })

  it('names what a host refuses', () => {
    expect(build('cerebras', { presence_penalty: 1 })).toMatchObject({ ignored: ['presence_penalty'] })
  })
})
