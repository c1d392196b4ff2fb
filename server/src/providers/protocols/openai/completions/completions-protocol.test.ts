import { describe, expect, it } from 'vitest'
import { completionsDialect } from '#dialects/completions/completions-dialect.ts'
import type { JsonObject } from '#lib/json.ts'
import { assert } from '#lib/assert.ts'
import { findVendor } from '#providers/registry.ts'
import { emptyUsage } from '#test/setup/empty-usage.ts'
import { refusal } from '#test/setup/refusal.ts'
import { completionsProtocol, hasCompletions } from './completions-protocol.ts'

function vendorOf(slug: string) {
  const vendor = findVendor(slug)
  assert(vendor !== undefined, `${slug} is registered`)
  return vendor
}

function ask(slug: string, body: JsonObject, { baseUrl = null, openAiFamily = false }: Asked = {}) {
  const call = completionsDialect.parse({ model: 'maker/model', prompt: 'Once', ...body })
  const target = { vendor: vendorOf(slug), baseUrl, credential: 'secret', upstreamModel: 'model-1', openAiFamily }
  const request = completionsProtocol.buildRequest(completionsDialect.toCanonical(call), target)
  const sent: JsonObject = JSON.parse(request.body)
  return { ...request, url: request.origin + request.path, sent }
}

interface Asked {
  baseUrl?: string | null
  openAiFamily?: boolean
}

describe('[NEXT-141] who completes texts', () => {
  it.each([
    ['openai', 'gpt-3.5-turbo-instruct', true],
    ['openai', 'gpt-3.5-turbo-instruct-0914', true],
    ['openai', 'davinci-002', true],
    ['openai', 'babbage-002', true],
    ['openai', 'gpt-5.2', false],
    ['openai', 'gpt-3.5-turbo', false],
    ['vllm', 'any', true],
    ['llama-cpp', 'any', true],
    ['ollama', 'any', true],
    ['together', 'any', true],
    ['fireworks', 'any', true],
    ['deepseek', 'deepseek-chat', true],
    ['deepseek', 'deepseek-reasoner', false],
    ['mistral', 'codestral-latest', true],
    ['mistral', 'codestral-embed', false],
    ['mistral', 'mistral-large-latest', false],
    ['groq', 'any', false],
    ['anthropic', 'any', false],
    ['jina', 'any', false],
  ])('%s with %s: %s', (slug, model, serves) => {
    expect(hasCompletions(vendorOf(slug), model)).toBe(serves)
  })
})

describe('[NEXT-141] a request for completions', () => {
  it('has the prompt, the cap and what the upstream takes', () => {
    const { url, headers, sent, ignored } = ask('openai', {
      max_tokens: 9,
      temperature: 0.5,
      top_p: 0.9,
      top_k: 5,
      stop: 'END',
      n: 2,
      logprobs: 3,
      echo: false,
      user: 'u',
    })
    expect(url).toBe('https://api.openai.com/v1/completions')
    expect(headers).toMatchObject({ authorization: 'Bearer secret', 'content-type': 'application/json' })
    expect(sent).toEqual({
      model: 'model-1',
      prompt: 'Once',
      logprobs: 3,
      max_tokens: 9,
      stop: ['END'],
      n: 2,
      temperature: 0.5,
      top_p: 0.9,
      stream: false,
    })
    expect(ignored).toEqual(['top_k'])
    expect(ask('openai', { user: 'u', logit_bias: { 5: 1 } }, { openAiFamily: true }).sent).toMatchObject({
      user: 'u',
      logit_bias: { 5: 1 },
    })
  })

  it('asks for the usage of a stream', () => {
    expect(ask('vllm', { stream: true }, { baseUrl: 'http://vllm.example/v1/' })).toMatchObject({
      url: 'http://vllm.example/v1/completions',
      sent: { stream: true, stream_options: { include_usage: true }, max_tokens: 16 },
    })
    expect(ask('mistral', { stream: true }).sent).not.toHaveProperty('stream_options')
  })

  it('has several prompts where the upstream takes them', () => {
    const prompt = ['One', 'Two']
    expect(ask('fireworks', { prompt, n: 3 }).sent).toMatchObject({ prompt, n: 3 })
    expect(ask('fireworks', { prompt }).sent).not.toHaveProperty('n')
    expect(() => ask('together', { prompt })).toThrow(refusal('unsupported_param', 'one request for each'))
  })

  it.each([
    ['deepseek', undefined, 'https://api.deepseek.com/beta/completions'],
    ['deepseek', 'https://api.deepseek.com/v1', 'https://api.deepseek.com/beta/completions'],
    ['deepseek', 'https://api.deepseek.com/beta', 'https://api.deepseek.com/beta/completions'],
    ['mistral', undefined, 'https://api.mistral.ai/v1/fim/completions'],
    ['ollama', 'http://ollama.example/v1', 'http://ollama.example/v1/completions'],
  ])('[NEXT-142] fills a gap at %s', (slug, baseUrl, url) => {
    const built = ask(slug, { suffix: ' time', seed: 7 }, { baseUrl: baseUrl ?? null })
    expect(built.url).toBe(url)
    expect(built.sent).toMatchObject({ prompt: 'Once', suffix: ' time' })
    const seeds = { deepseek: {}, mistral: { random_seed: 7 }, ollama: { seed: 7 } }[slug]
    expect(built.sent).toMatchObject(seeds ?? {})
    expect(built.ignored).toEqual(slug === 'deepseek' ? ['seed'] : [])
  })

  it('[NEXT-142] is refused where the upstream fills no gaps or lists no probabilities', () => {
    const vllm = { baseUrl: 'http://vllm.example/v1' }
    expect(() => ask('vllm', { suffix: ' time' }, vllm)).toThrow(refusal('unsupported_param', '`suffix`'))
    expect(() => ask('openai', { suffix: ' time' })).toThrow(refusal('unsupported_param', '`suffix`'))
    expect(() => ask('mistral', { logprobs: 1 })).toThrow(refusal('unsupported_param', '`logprobs`'))
  })
})

const counted = { prompt_tokens: 2, completion_tokens: 3, total_tokens: 5 }
const classes = { ...emptyUsage, uncachedInput: 2, textOutput: 3 }
const logprobs = { tokens: [' upon'], token_logprobs: [-0.1] }

const read = (answer: unknown, slug = 'openai') =>
  completionsProtocol.readDocument(Buffer.from(JSON.stringify(answer)), vendorOf(slug))

const partsOf = (text: string) => {
  const reader = completionsProtocol.createStreamReader(vendorOf('openai'))
  return [...reader.push(Buffer.from(text)), ...reader.end()]
}

describe('[NEXT-141] what is read of an answer', () => {
  it('is the texts, their log probabilities, finish reasons and usage', () => {
    const choices = [
      { index: 0, text: ' upon', logprobs, finish_reason: 'length' },
      { index: 1, text: '', logprobs: null, finish_reason: 'stop' },
    ]
    expect(read({ object: 'text_completion', choices, usage: counted })).toEqual({
      ok: true,
      reply: {
        choices: [
          {
            parts: [
              { kind: 'text', text: ' upon' },
              { kind: 'opaque', protocol: 'openai', value: { completion_logprobs: logprobs } },
            ],
            finishReason: 'length',
            nativeFinishReason: 'length',
          },
          { parts: [{ kind: 'text', text: '' }], finishReason: 'stop', nativeFinishReason: 'stop' },
        ],
        usage: classes,
      },
    })
  })

  it("is Mistral's message as well", () => {
    const choices = [{ index: 0, message: { role: 'assistant', content: ' upon' }, finish_reason: 'stop' }]
    expect(read({ choices, usage: counted }, 'mistral')).toMatchObject({
      ok: true,
      reply: { choices: [{ parts: [{ kind: 'text', text: ' upon' }] }], usage: classes },
    })
  })

  it('is an error where there is none', () => {
    expect(read({ choices: [] }).ok).toBe(false)
    expect(read({ error: { message: 'No.' } }).ok).toBe(false)
    expect(completionsProtocol.readDocument(Buffer.from('<html>'), vendorOf('openai')).ok).toBe(false)
  })

  it.each([1, 7, 1_000])('is each text of a stream in pieces of %d bytes, then its usage', (size) => {
    const chunks = [
      { choices: [{ index: 0, text: ' upon', logprobs, finish_reason: null }] },
      { choices: [{ index: 0, text: ' a', logprobs: null, finish_reason: null }] },
      { choices: [{ index: 0, text: '', finish_reason: 'stop' }] },
      { choices: [], usage: counted },
    ]
    const bytes = Buffer.from(`${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`)
    const reader = completionsProtocol.createStreamReader(vendorOf('openai'))
    const parts = []
    for (let at = 0; at < bytes.length; at += size) parts.push(...reader.push(bytes.subarray(at, at + size)))
    expect([...parts, ...reader.end()]).toEqual([
      { kind: 'text-added', choice: 0, text: ' upon' },
      {
        kind: 'opaque-added',
        choice: 0,
        part: { kind: 'opaque', protocol: 'openai', value: { completion_logprobs: logprobs } },
      },
      { kind: 'text-added', choice: 0, text: ' a' },
      { kind: 'finished', choice: 0, reason: 'stop', native: 'stop' },
      { kind: 'usage-counted', usage: classes, isFinal: true },
      { kind: 'ended' },
    ])
  })

  it('is an error in a stream that is not JSON, too long, or one itself', () => {
    expect(partsOf('data: {"choices":\n\n')).toMatchObject([{ kind: 'failed' }])
    expect(partsOf('data: {"error":{"message":"No."}}\n\n')).toMatchObject([{ kind: 'failed' }])
    expect(partsOf(`data: "${'x'.repeat(4 * 1_024 * 1_024)}"\n\n`)).toMatchObject([{ kind: 'failed' }])
  })
})
