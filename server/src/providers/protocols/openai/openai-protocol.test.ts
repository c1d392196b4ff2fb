import { describe, expect, it } from 'vitest'
import type { CanonicalCall, ReasoningWish, Turn } from '#domain/inference/call.ts'
import type { Part } from '#domain/inference/parts.ts'
import { noUsage } from '#domain/inference/usage.ts'
import { assert } from '#lib/assert.ts'
import { type JsonObject, parseJsonObject } from '#lib/json.ts'
import { plainCall as bare } from '#test/samples/plain-call.ts'
import type { ProtocolRequest, Target } from '#providers/protocol.ts'
import { findVendor } from '#providers/registry.ts'
import { openAiProtocol } from './openai-protocol.ts'

function request(slug: string, call: Partial<CanonicalCall>, changes: Partial<Target> = {}): ProtocolRequest {
  const vendor = findVendor(slug)
  assert(vendor !== undefined, `${slug} is registered`)
  const baseUrl = vendor.baseUrl === null ? 'http://127.0.0.1:8000/v1' : null
  const target = { vendor, baseUrl, credential: 'secret', upstreamModel: 'model-x', openAiFamily: false, ...changes }
  return openAiProtocol.buildRequest({ ...bare, ...call }, target)
}

function sent(slug: string, call: Partial<CanonicalCall>, changes: Partial<Target> = {}): JsonObject {
  return parseJsonObject(request(slug, call, changes).body) ?? {}
}

function messagesFor(slug: string, turns: readonly Turn[], changes: Partial<Target> = {}): unknown {
  return sent(slug, { turns }, changes).messages
}

describe('messages', () => {
  it('[P16] put results behind their calls, and what tools show behind the results', () => {
    const image: Part = { kind: 'image', source: { kind: 'data', mediaType: 'image/png', base64: 'AA==' } }
    const turn: Turn = {
      role: 'user',
      parts: [
        { kind: 'text', text: 'Go on' },
        { kind: 'tool-result', callId: 'a', content: [{ kind: 'text', text: '1' }, image] },
        { kind: 'tool-result', callId: 'b', content: [{ kind: 'text', text: '2' }], isError: true },
      ],
    }
    expect(messagesFor('openai', [turn])).toEqual([
      { role: 'tool', tool_call_id: 'a', content: '1' },
      { role: 'tool', tool_call_id: 'b', content: '2' },
      {
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
          { type: 'text', text: 'Go on' },
        ],
      },
    ])
  })

  it('[USAGE-09] carry cache marks to who understands them, and to nobody else', () => {
    const cache = { type: 'ephemeral' }
    const call: Partial<CanonicalCall> = {
      system: [
        { kind: 'text', text: 'A' },
        { kind: 'text', text: 'B', cache },
      ],
      tools: [{ name: 'f', parameters: {}, cache }],
    }
    const tool = { type: 'function', function: { name: 'f', parameters: {} } }
    expect(sent('openai', call)).toMatchObject({
      messages: [
        { role: 'system', content: 'A\n\nB' },
        { role: 'user', content: 'Hi' },
      ],
      tools: [tool],
    })
    expect(request('openai', call).body).not.toContain('cache_control')
    expect(request('openai', call).ignored).toEqual(['cache_control'])
    expect(request('openrouter', call).ignored).toEqual([])
    const marked = {
      messages: [
        {
          role: 'system',
          content: [
            { type: 'text', text: 'A' },
            { type: 'text', text: 'B', cache_control: cache },
          ],
        },
        { role: 'user', content: 'Hi' },
      ],
      tools: [{ ...tool, cache_control: cache }],
    }
    expect(sent('openrouter', call)).toMatchObject(marked)
    expect(sent('nebius', call, { upstreamModel: 'claude-x' })).toMatchObject(marked)
  })

  it('leave out what only other protocols know', () => {
    const parts: Part[] = [
      { kind: 'text', text: 'Hi' },
      { kind: 'opaque', protocol: 'anthropic', value: { type: 'server_tool_use' } },
    ]
    expect(messagesFor('openrouter', [{ role: 'user', parts }])).toEqual([{ role: 'user', content: 'Hi' }])
  })
})

describe('earlier thinking', () => {
  const call: Part = { kind: 'tool-call', id: 'a', name: 'f', argumentsJson: '', signature: 'call-sig' }
  const thought: Part = { kind: 'reasoning', text: 'Hm', signature: 'sig', format: 'anthropic' }
  const hidden: Part = { kind: 'reasoning', text: '', encrypted: 'xyz', format: 'anthropic' }
  const turns: Turn[] = [{ role: 'assistant', parts: [thought, hidden, call] }]
  const plainCall = { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }

  it('goes back as text with tool calls to hosts that insist on it', () => {
    const said: Turn = { role: 'assistant', parts: [thought, { kind: 'text', text: 'So' }] }
    for (const slug of ['deepseek', 'moonshotai', 'z-ai']) {
      expect(messagesFor(slug, [...turns, said])).toEqual([
        { role: 'assistant', content: null, reasoning_content: 'Hm', tool_calls: [plainCall] },
        { role: 'assistant', content: 'So' },
      ])
    }
  })

  it('does not go to hosts that do not know it', () => {
    for (const slug of ['openai', 'mistral', 'nebius', 'groq']) {
      const [message] = [messagesFor(slug, turns)].flat()
      expect(Object.keys(message ?? {})).toEqual(['role', 'content', 'tool_calls'])
    }
  })

  it('[P17] [REASON-09] goes with its signatures to its maker alone', () => {
    const format = 'anthropic-claude-v1'
    expect(messagesFor('openrouter', turns, { upstreamModel: 'anthropic/claude-x' })).toEqual([
      {
        role: 'assistant',
        content: null,
        tool_calls: [plainCall],
        reasoning: 'Hm',
        reasoning_details: [
          { type: 'reasoning.text', text: 'Hm', signature: 'sig', index: 0, format },
          { type: 'reasoning.encrypted', data: 'xyz', index: 1, format },
        ],
      },
    ])
    const elsewhere = JSON.stringify(messagesFor('openrouter', turns, { upstreamModel: 'openai/gpt-x' }))
    expect(elsewhere).toContain('"reasoning":"Hm"')
    expect(elsewhere).not.toMatch(/sig|xyz/)
  })

  it('[P17] signs calls for Gemini', () => {
    const messages = messagesFor('openrouter', [{ role: 'assistant', parts: [call] }], {
      upstreamModel: 'google/gemini-x',
    })
    expect(messages).toMatchObject([
      {
        tool_calls: [{ ...plainCall, extra_content: { google: { thought_signature: 'call-sig' } } }],
        reasoning_details: [{ type: 'reasoning.encrypted', data: 'call-sig', id: 'a', format: 'google-gemini-v1' }],
      },
    ])
  })
})

describe('wishes', () => {
  const gpt = { upstreamModel: 'gpt-5', openAiFamily: true }

  it.each<[string, ReasoningWish, JsonObject, Partial<Target>]>([
    ['openrouter', { effort: 'low', budgetTokens: 9 }, { reasoning: { effort: 'low' } }, {}],
    ['openrouter', { budgetTokens: 9, exclude: true }, { reasoning: { max_tokens: 9, exclude: true } }, {}],
    ['openrouter', { enabled: false }, { reasoning: { enabled: false } }, {}],
    ['deepseek', { enabled: true, budgetTokens: 9 }, { thinking: { type: 'enabled' } }, {}],
    ['z-ai', { enabled: false }, { thinking: { type: 'disabled' } }, {}],
    ['alibaba', { budgetTokens: 9 }, { enable_thinking: true, thinking_budget: 9 }, { upstreamModel: 'qwen3-8b' }],
    ['alibaba', { enabled: false }, { enable_thinking: false }, {}],
    ['openai', { effort: 'minimal' }, { reasoning_effort: 'minimal' }, gpt],
    ['openai', { enabled: true, budgetTokens: 10_000 }, { reasoning_effort: 'medium' }, gpt],
    ['openai', { enabled: false }, {}, gpt],
    ['openai', { effort: 'high' }, {}, { upstreamModel: 'gpt-4o', openAiFamily: true }],
    ['groq', { effort: 'low' }, { reasoning_effort: 'low' }, {}],
    ['nebius', { enabled: true, budgetTokens: 9 }, {}, {}],
  ])('[REASON-02] [REASON-04] are said to %s in its own words: %j', (slug, reasoning, fields, target) => {
    const { model: _model, messages: _messages, stream: _stream, ...others } = sent(slug, { reasoning }, target)
    expect(others).toEqual(fields)
  })

  it('[REASON-01] [REASON-04] stay in the words of a client who knew the field', () => {
    const extras = { reasoning_effort: 'low' }
    expect(sent('alibaba', { reasoning: { effort: 'low' }, extras })).toEqual({
      model: 'model-x',
      messages: [{ role: 'user', content: 'Hi' }],
      reasoning_effort: 'low',
      stream: false,
    })
  })

  it('[REASON-05] [REASON-07] are not made up, but for Qwen 3', () => {
    expect(sent('alibaba', {}, { upstreamModel: 'qwen3-8b' }).enable_thinking).toBe(false)
    expect(Object.keys(sent('openai', {}, { upstreamModel: 'o3', openAiFamily: true }))).toEqual([
      'model',
      'messages',
      'stream',
    ])
  })
})

describe('fields of other dialects', () => {
  it('are sent where they are known and named where they are not', () => {
    const call: Partial<CanonicalCall> = {
      sampling: { temperature: 1, topK: 5, stop: ['END'] },
      endUser: 'u',
      parallelToolCalls: true,
      extras: { prompt_cache_key: 'k', context_management: {}, provider: {}, plugins: [] },
    }
    const family = request('openai', call, { openAiFamily: true })
    expect(parseJsonObject(family.body)).toEqual({
      model: 'model-x',
      messages: [{ role: 'user', content: 'Hi' }],
      temperature: 1,
      stop: ['END'],
      parallel_tool_calls: true,
      user: 'u',
      prompt_cache_key: 'k',
      stream: false,
    })
    expect(family.ignored.toSorted()).toEqual(['context_management', 'plugins', 'top_k'])
    const other = request('nebius', call)
    expect(parseJsonObject(other.body)).toMatchObject({ top_k: 5 })
    expect(other.ignored.toSorted()).toEqual([
      'context_management',
      'parallel_tool_calls',
      'plugins',
      'prompt_cache_key',
      'user',
    ])
  })
})

describe('a stream', () => {
  const counted = { usage: { prompt_tokens: 5, completion_tokens: 2 } }
  const usage = { ...noUsage, uncachedInput: 5, textOutput: 2 }

  it('[P7] ends where the upstream says so, and its last usage is final', () => {
    const chunks = [
      { choices: [{ index: 0, delta: { content: 'Hi' } }], ...counted },
      { choices: [{ index: 0, delta: {}, finish_reason: 'stop', stop_reason: 'END' }] },
    ]
    expect(read(`${frames(chunks)}data: [DONE]\n\ndata: {"late":true}\n\n`)).toEqual([
      { kind: 'text-added', choice: 0, text: 'Hi' },
      { kind: 'usage-counted', usage, isFinal: false },
      { kind: 'finished', choice: 0, reason: 'stop', native: 'stop', stopSequence: 'END' },
      { kind: 'usage-counted', usage, isFinal: true },
      { kind: 'ended' },
    ])
  })

  it('[P18] that only stops is not ended', () => {
    expect(read(frames([{ choices: [{ index: 0, delta: { content: 'Hi' } }] }]))).toEqual([
      { kind: 'text-added', choice: 0, text: 'Hi' },
    ])
  })

  it.each([
    ['data: {"choices\n\n', { message: 'The upstream sent an event that is not valid JSON.' }],
    [frames([{ error: { message: 'Gone.', code: 503 } }]), { message: 'Gone.', code: 503 }],
    [frames([{ choices: [{ index: 0, finish_reason: 'error', error: { message: 'Gone.' } }] }]), { message: 'Gone.' }],
  ])('[STREAM-08] that fails says so, and nothing follows', (text, failure) => {
    expect(read(`${text}${frames([{ choices: [{ index: 0, delta: { content: 'late' } }] }])}`)).toEqual([
      { kind: 'failed', ...failure },
    ])
  })

  it('is known by its content type', () => {
    expect(openAiProtocol.isStream('text/event-stream; charset=utf-8')).toBe(true)
    expect(openAiProtocol.isStream('application/json')).toBe(false)
  })
})

describe('a document', () => {
  it.each([
    ['<html>', 'The upstream response is not valid JSON.'],
    ['{"choices":[]}', 'The upstream returned a response without content.'],
    ['{"error":{"message":"Gone."}}', 'Gone.'],
  ])('that is no answer is a failure: %s', (text, message) => {
    expect(openAiProtocol.readDocument(Buffer.from(text), openrouter())).toMatchObject({
      ok: false,
      failure: { message },
    })
  })

  it('keeps what has no canonical place, for those who know it', () => {
    const message = { role: 'assistant', content: 'Hi', annotations: [{ type: 'url_citation' }], audio: null }
    const text = JSON.stringify({ choices: [{ message, finish_reason: 'stop' }] })
    expect(openAiProtocol.readDocument(Buffer.from(text), openrouter())).toMatchObject({
      reply: {
        choices: [
          {
            parts: [
              { kind: 'text', text: 'Hi' },
              { kind: 'opaque', protocol: 'openai', value: { annotations: message.annotations } },
            ],
          },
        ],
        usage: null,
      },
    })
  })
})

function openrouter() {
  const vendor = findVendor('openrouter')
  assert(vendor !== undefined, 'OpenRouter is registered')
  return vendor
}

function frames(chunks: readonly object[]): string {
  return chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')
}

function read(text: string): unknown[] {
  const reader = openAiProtocol.createStreamReader(openrouter())
  return [...reader.push(Buffer.from(text)), ...reader.end()]
}
