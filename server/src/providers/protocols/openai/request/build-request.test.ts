import { describe, expect, it } from 'vitest'
import { assert } from '#lib/assert.ts'
import { type JsonObject, parseJsonObject } from '#lib/json.ts'
import { findAnyVendor } from '#providers/own-key-vendor.ts'
import { vendors } from '#providers/registry.ts'
import type { VendorSpec } from '#providers/spec.ts'
import { openAiTarget } from '../openai-target.ts'
import { buildChatRequest, type ChatRequestInput } from './build-request.ts'

const messages = [{ role: 'user', content: 'Hi' }]

function build(slug: string, body: JsonObject, changes: Partial<ChatRequestInput> = {}) {
  const vendor = findAnyVendor(slug)
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

const everySlug = Object.values<VendorSpec>(vendors)
  .filter(({ protocol }) => protocol === 'openai')
  .map(({ slug }) => slug)

describe('the upstream body', () => {
  it.each(everySlug)('[CHAT-22] adds nothing to a bare request to %s', (slug) => {
    expect(build(slug, {}).sent).toEqual({ model: 'model-x', messages, stream: false })
  })

  it('[CHAT-25] passes unknown fields and unknown values of known fields', () => {
    const body = { reasoning: { effort: 'minimal' }, reasoningEffort: 'odd', future_field: [1, { a: null }] }
    expect(build('openrouter', body).sent).toMatchObject(body)
    for (const baseUrl of ['https://models.example/v1', 'https://notopenai.com/v1', 'https://openai.com.example/v1']) {
      expect(build('openai', body, { baseUrl }).sent).toMatchObject(body)
    }
    for (const baseUrl of ['https://eu.api.openai.com/v1', 'https://openai.com', 'http://api.openai.com:8080/v1']) {
      expect(build('openai', body, { baseUrl }).sent).not.toHaveProperty('reasoning')
    }
    const { reasoning: _, ...unknown } = body
    for (const slug of everySlug) expect(build(slug, unknown).sent).toMatchObject(unknown)
  })

  it('[CHAT-09] [CHAT-11] passes seed, top_p, a positive top_k and stop in both forms', () => {
    const body = { seed: 7, top_p: 0.5, top_k: 20, stop: 'END' }
    expect(build('openrouter', body).sent).toMatchObject(body)
    expect(build('openrouter', { stop: ['A', 'B'] }).sent.stop).toEqual(['A', 'B'])
  })

  it('[CHAT-10] sends no top_k where the client said zero', () => {
    expect(build('openrouter', { top_k: 0 }).sent).not.toHaveProperty('top_k')
  })

  it('[USAGE-09] takes marks of caches out for hosts that refuse unknown members, and names them', () => {
    const mark = { type: 'ephemeral' }
    const tool = { type: 'function', function: { name: 'f', parameters: {} } }
    const said = { type: 'text', text: 'Hi' }
    const marked = {
      messages: [{ role: 'user', content: [{ ...said, cache_control: mark }, said] }],
      tools: [{ ...tool, cache_control: mark }, tool],
    }
    const groq = build('groq', marked)
    expect(groq.sent).toMatchObject({ messages: [{ role: 'user', content: [said, said] }], tools: [tool, tool] })
    expect(groq.body).not.toContain('cache_control')
    expect(groq.ignored).toEqual(['cache_control'])
    for (const slug of ['openrouter', 'alibaba', 'vllm']) {
      const { sent, ignored } = build(slug, marked)
      expect([sent.messages, sent.tools, ignored]).toEqual([marked.messages, marked.tools, []])
    }
    expect(build('groq', {}).ignored).toEqual([])
  })

  it('keeps what is meant for the gateway', () => {
    const own = {
      models: ['a'],
      route: 'fallback',
      provider: {},
      transforms: [],
      usage: { include: true },
      max_cost_usd: 1,
    }
    for (const [vendor, passedOn] of [
      ['groq', {}],
      // OpenRouter is itself a gateway and accepts one of these fields.
      ['openrouter', { route: 'fallback' }],
    ] as const) {
      const { sent, ignored } = build(vendor, own)
      expect(sent).toEqual({ model: 'model-x', messages, stream: false, ...passedOn })
      expect(ignored).toEqual([])
    }
  })

  it('[CHAT-20] passes plugins whole to who understands them, and to nobody else', () => {
    const plugins = [{ id: 'web', enabled: false, odd: { key: 1 } }]
    expect(build('openrouter', { plugins }).sent.plugins).toEqual(plugins)
    expect(build('openai', { plugins }, { openAiFamily: true })).toMatchObject({ ignored: ['plugins'] })
    expect(build('openai', { plugins }, { openAiFamily: true }).sent).not.toHaveProperty('plugins')
  })

  it('[CHAT-23] [CHAT-24] [IDE-06] sends some fields to models of the OpenAI family alone, and names what it dropped', () => {
    const body = {
      user: 'u',
      logprobs: true,
      top_logprobs: 2,
      logit_bias: { 1: 2 },
      parallel_tool_calls: false,
      service_tier: 'flex',
    }
    const inside = build('openai', body, { openAiFamily: true })
    expect(inside.sent).toMatchObject(body)
    expect(inside.ignored).toEqual([])
    const outside = build('nebius', body)
    expect(outside.sent).toEqual({ model: 'model-x', messages, stream: false })
    expect(outside.ignored).toEqual(Object.keys(body))
  })

  it('leaves the body of the client as it was', () => {
    const content = [{ type: 'text', text: 'Hi' }]
    const call = { id: 'call_abcdefghijkl', function: { name: 'f', arguments: '{}' } }
    const replayed = { role: 'assistant', content: null, reasoning: 'Hm', tool_calls: [call] }
    const body = {
      model: 'm',
      messages: [{ role: 'user', content }, replayed],
      seed: 1,
      tool_choice: 'required',
      stop: 'x',
    }
    const before = JSON.stringify(body)
    for (const slug of everySlug) build(slug, {}, { body, stream: true })
    expect(JSON.stringify(body)).toBe(before)
  })

  it('drops a key that would change what the object is', () => {
    const body = parseJsonObject('{"__proto__":{"seed":7,"tool_choice":"required"},"messages":[]}') ?? {}
    const { body: text } = build('mistral', {}, { body })
    expect(text).toBe('{"model":"model-x","messages":[],"stream":false}')
  })
})

describe('thinking', () => {
  it.each(['qwen3-32b', 'Qwen/Qwen3-8B', 'accounts/fireworks/models/qwen3-30b-a3b'])(
    '[REASON-05] is disabled for %s where the client said nothing of it',
    (upstreamModel) => {
      const sent = { model: upstreamModel, messages, stream: false, enable_thinking: false }
      expect(build('alibaba', {}, { upstreamModel }).sent).toEqual(sent)
    },
  )

  it('[REASON-05] is disabled by our name of the model too', () => {
    expect(build('vllm', {}, { model: 'qwen/qwen3-32b' }).sent.enable_thinking).toBe(false)
  })

  it.each<JsonObject>([
    { enable_thinking: true },
    { enable_thinking: false },
    { thinking: { type: 'enabled', budget_tokens: 1_024 } },
    { thinking: { type: 'disabled' } },
    { reasoning: { effort: 'none' } },
    { reasoning: { max_tokens: 2_000 } },
    { reasoning_effort: 'low' },
    { thinking_budget: 100 },
  ])('[REASON-01] [REASON-02] [REASON-04] [REASON-05] is as the client said: %j', (fields) => {
    for (const upstreamModel of ['qwen3-32b', 'model-x']) {
      const { sent } = build('alibaba', fields, { upstreamModel })
      expect(sent).toEqual({ model: upstreamModel, messages, stream: false, ...fields })
    }
  })

  it.each([
    'Qwen/Qwen3-Coder-30B-A3B',
    'Qwen/Qwen3-235B-A22B-Instruct-2507',
    'Qwen/Qwen3-VL-32B-Instruct',
    'Qwen/Qwen3-Next-80B-A3B',
    'Qwen/Qwen3-Omni-30B-A3B',
  ])('[W3] is not spoken of to %s, which has no choice', (upstreamModel) => {
    expect(build('siliconflow', {}, { upstreamModel }).sent).toEqual({ model: upstreamModel, messages, stream: false })
    const hidden = build('siliconflow', {}, { upstreamModel: 'qwen3-x', model: upstreamModel })
    expect(hidden.sent).not.toHaveProperty('enable_thinking')
  })

  it.each([
    ['groq', { reasoning_effort: 'none' }],
    ['cerebras', { reasoning_effort: 'none' }],
    ['fireworks', { reasoning_effort: 'none' }],
    ['together', { chat_template_kwargs: { enable_thinking: false } }],
    ['siliconflow', { enable_thinking: false }],
  ])('[W3] is disabled at %s in a field that it knows', (slug, fields) => {
    const upstreamModel = 'qwen/qwen3-32b'
    expect(build(slug, {}, { upstreamModel }).sent).toEqual({
      model: upstreamModel,
      messages,
      stream: false,
      ...fields,
    })
  })

  it.each<[slug: string, body: JsonObject, sent: JsonObject, ignored: string[]]>([
    ['openai', { reasoning: { effort: 'high' } }, { reasoning_effort: 'high' }, []],
    ['openai', { reasoning: { max_tokens: 5_000 } }, { reasoning_effort: 'medium' }, []],
    ['openai', { thinking: { type: 'enabled', budget_tokens: 20_000 } }, { reasoning_effort: 'high' }, []],
    ['openai', { enable_thinking: true }, {}, ['enable_thinking']],
    ['openai', { reasoning_effort: 'xhigh' }, { reasoning_effort: 'xhigh' }, []],
    ['openai', { reasoning_effort: 'low', reasoning: { effort: 'low' } }, { reasoning_effort: 'low' }, ['reasoning']],
    ['azure', { reasoning: { effort: 'high' } }, { reasoning_effort: 'high' }, []],
    ['groq', { reasoning: { effort: 'xhigh' } }, { reasoning_effort: 'high' }, ['reasoning_effort']],
    ['groq', { reasoning: { enabled: false } }, { reasoning_effort: 'none' }, []],
    ['cerebras', { thinking: { type: 'disabled' } }, { reasoning_effort: 'none' }, []],
    ['cerebras', { reasoning_effort: 'minimal' }, { reasoning_effort: 'low' }, ['reasoning_effort']],
    ['mistral', { reasoning: { effort: 'high' } }, { reasoning_effort: 'high' }, []],
    ['together', { reasoning: { effort: 'low' } }, { reasoning_effort: 'low' }, []],
    ['together', { enable_thinking: false }, { reasoning: { enabled: false } }, []],
    ['together', { reasoning_effort: 'none' }, {}, ['reasoning_effort']],
  ])('[W9] is said to %s in its own words: %j', (slug, body, expected, ignored) => {
    const built = build(slug, body, { upstreamModel: 'gpt-5', openAiFamily: true })
    expect(built.sent).toEqual({ model: 'gpt-5', messages, stream: false, ...expected })
    expect(built.ignored).toEqual(ignored)
  })

  it.each(['qwen3-235b-a22b-thinking-2507', 'qwen2.5-72b', 'myqwen3-8b', 'o3-mini', 'gpt-5'])(
    '[REASON-07] [CHAT-22] is not spoken of to %s',
    (upstreamModel) => {
      expect(build('openai', {}, { upstreamModel }).sent).toEqual({ model: upstreamModel, messages, stream: false })
    },
  )
})

/** All other providers use `max_tokens`. */
const capNames: Readonly<Record<string, string>> = {
  minimax: 'max_completion_tokens',
  'minimax-cn': 'max_completion_tokens',
}
const foreignCaps = ['n_predict', 'num_predict', 'max_new_tokens', 'max_length', 'max_gen_len', 'tokens_to_generate']

describe('the output cap', () => {
  describe.each(everySlug)('at %s, which knows one name only', (slug) => {
    const known = capNames[slug] ?? 'max_tokens'

    it.each([
      ['max_tokens', { max_tokens: 9 }],
      ['max_completion_tokens', { max_completion_tokens: 9 }],
      ['both', { max_tokens: 5, max_completion_tokens: 9 }],
      ['neither, because the gateway sets it', {}],
    ])('[CHAT-05] [CHAT-07] C3: has the name of the upstream where the client says %s', (_name, body) => {
      const { sent } = build(slug, body, { maxTokens: 9 })
      expect([sent.max_tokens, sent.max_completion_tokens]).toEqual(
        known === 'max_tokens' ? [9, undefined] : [undefined, 9],
      )
    })

    it.each(foreignCaps)('C3: is not lifted by `%s`, which some server reads as its cap', (name) => {
      const { sent, ignored } = build(slug, { max_tokens: 9, [name]: 20_000 }, { maxTokens: 9 })
      expect(sent).not.toHaveProperty(name)
      expect(ignored).toEqual([name])
    })
  })

  it.each(['o3-mini', 'o1', 'gpt-5.1-codex', 'gpt-5', 'codex-mini-latest'])('is renamed for %s', (upstreamModel) => {
    const { sent } = build('openai', { max_tokens: 9 }, { maxTokens: 9, upstreamModel })
    expect(sent).toMatchObject({ max_completion_tokens: 9 })
    expect(sent).not.toHaveProperty('max_tokens')
  })

  it.each([
    ['o3-mini', 'openai/o3-mini', 'max_completion_tokens'],
    // An Azure deployment has its own name.
    ['production', 'openai/gpt-5', 'max_completion_tokens'],
    ['gpt-4o', 'openai/gpt-4o', 'max_tokens'],
    ['llama-3', 'meta/llama-3', 'max_tokens'],
  ])("is the one that %s, which is %s, takes with an organization's own key: %s", (upstreamModel, model, name) => {
    const { sent } = build('byok-openai', { max_completion_tokens: 9 }, { maxTokens: 9, upstreamModel, model })
    const caps = { max_tokens: sent.max_tokens, max_completion_tokens: sent.max_completion_tokens }
    expect(caps).toEqual({ max_tokens: undefined, max_completion_tokens: undefined, [name]: 9 })
  })

  it.each(['max_tokens', 'max_completion_tokens'])('is max_tokens for models that take both, after %s', (name) => {
    const { sent } = build('openai', { [name]: 9 }, { maxTokens: 9, upstreamModel: 'gpt-4o' })
    expect([sent.max_tokens, sent.max_completion_tokens]).toEqual([9, undefined])
  })
})

describe('streaming', () => {
  it('[USAGE-06] asks for usage and keeps the other options', () => {
    const { sent } = build('openai', { stream_options: { include_obfuscation: false } }, { stream: true })
    expect(sent).toMatchObject({ stream: true, stream_options: { include_obfuscation: false, include_usage: true } })
  })

  it('sends no option to hosts that send usage by themselves, or without a stream', () => {
    const body = { stream_options: { include_usage: true } }
    expect(build('mistral', body, { stream: true }).sent).not.toHaveProperty('stream_options')
    expect(build('openai', body).sent).not.toHaveProperty('stream_options')
  })
})

describe('the address and the headers', () => {
  it('joins base URL and path, with or without a final slash and a query', () => {
    expect(build('groq', {})).toMatchObject({ origin: 'https://api.groq.com', path: '/openai/v1/chat/completions' })
    expect(build('vllm', {})).toMatchObject({ origin: 'http://127.0.0.1:8000', path: '/v1/chat/completions' })
    const baseUrl = 'https://r.openai.azure.com/openai/v1?api-version=preview'
    expect(build('azure', {}, { baseUrl }).path).toBe('/openai/v1/chat/completions?api-version=preview')
    expect(build('deepseek', {}).path).toBe('/chat/completions')
  })

  it('refuses to guess a base URL', () => {
    expect(() => build('vllm', {}, { baseUrl: null })).toThrow('vllm has no default base URL')
  })

  it('sends a fixed set of headers and the credential where the vendor reads it', () => {
    const fixed = { 'content-type': 'application/json', 'accept-encoding': 'identity', 'user-agent': 'weir' }
    expect(build('openai', {}).headers).toEqual({
      ...fixed,
      accept: 'application/json',
      authorization: 'Bearer secret',
    })
    expect(build('azure', {}, { stream: true }).headers).toEqual({
      ...fixed,
      accept: 'text/event-stream',
      'api-key': 'secret',
    })
    expect(build('ollama', {}, { credential: null }).headers).toEqual({ ...fixed, accept: 'application/json' })
  })
})
