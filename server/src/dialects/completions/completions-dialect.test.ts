import { describe, expect, it } from 'vitest'
import type { CanonicalReply } from '#domain/inference/reply.ts'
import type { StreamPart } from '#domain/inference/stream-part.ts'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { JsonObject } from '#lib/json.ts'
import { emptyUsage } from '#test/setup/empty-usage.ts'
import { refusal } from '#test/setup/refusal.ts'
import type { Charged, ReplyContext } from '../dialect.ts'
import { completionsDialect } from './completions-dialect.ts'

const plain: JsonObject = { model: 'maker/model', prompt: 'Once upon' }
const charged: Charged = { usage: { ...emptyUsage, uncachedInput: 2, textOutput: 3 }, cost: nanoUsd(8n) }
const usage = {
  prompt_tokens: 2,
  completion_tokens: 3,
  total_tokens: 5,
  cost: 0.000000008,
  prompt_tokens_details: { cached_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 0 },
}
const head = { id: 'gen-1', object: 'text_completion', created: 5, model: 'maker/model' }

function contextOf(body: JsonObject): ReplyContext {
  return { id: 'gen-1', createdS: 5, model: 'maker/model', requestBody: body, excludeReasoning: false }
}

const canonicalOf = (body: JsonObject) => completionsDialect.toCanonical(completionsDialect.parse(body))

const refuse = (body: JsonObject) => () =>
  completionsDialect.refuseTranslated?.(completionsDialect.parse({ ...plain, ...body }))

describe('[NEXT-141] a completion in canonical form', () => {
  it('is a conversation of one message, with the fields that mean the same in chat', () => {
    const settings = { temperature: 0.5, top_p: 0.9, stop: 'END', seed: 7, n: 2, max_tokens: 9, user: 'u' }
    const others = { logprobs: 2, echo: false, best_of: 2, tools: [], plugins: [], messages: [], suffix: ' time' }
    expect(canonicalOf({ ...plain, ...settings, ...others, logit_bias: { 5: 1 } })).toEqual({
      system: [],
      turns: [{ role: 'user', parts: [{ kind: 'text', text: 'Once upon' }] }],
      tools: [],
      toolChoice: null,
      parallelToolCalls: null,
      maxTokens: 9,
      choiceCount: 2,
      sampling: { temperature: 0.5, topP: 0.9, seed: 7, stop: ['END'] },
      reasoning: null,
      responseFormat: null,
      stream: false,
      endUser: 'u',
      extras: { logit_bias: { 5: 1 } },
      continuation: { prompts: ['Once upon'], suffix: ' time', logprobs: 2 },
    })
  })

  it('[NEXT-142] cannot be sent as chat if it has a gap, log probabilities or several prompts', () => {
    expect(refuse({ suffix: ' time' })).toThrow(refusal('unsupported_param', '`suffix`'))
    expect(refuse({ logprobs: 0 })).toThrow(refusal('unsupported_param', '`logprobs`'))
    expect(refuse({ prompt: ['a', 'b'] })).toThrow(refusal('unsupported_param', 'one request for each'))
    expect(refuse({ prompt: ['a'], suffix: '', n: 3, echo: true })).not.toThrow()
  })
})

describe('[NEXT-144] the texts of a completion', () => {
  it('are all prompts and the suffix, and are replaced in their places', () => {
    const body = { ...plain, prompt: ['a', 'b'], suffix: 'c', user: 'u' }
    expect(completionsDialect.texts(body)).toEqual(['a', 'b', 'c'])
    expect(completionsDialect.withTexts(body, ['x', 'y', 'z'])).toEqual({ ...body, prompt: ['x', 'y'], suffix: 'z' })
    expect(completionsDialect.texts(plain)).toEqual(['Once upon'])
    expect(completionsDialect.withTexts(plain, ['Never'])).toEqual({ ...plain, prompt: 'Never' })
  })
})

const textsOf = (reply: CanonicalReply, body: JsonObject) =>
  JSON.parse(completionsDialect.renderDocument(reply, charged, contextOf(body))).choices.map(
    ({ text }: { text: string }) => text,
  )

describe('[NEXT-140] a whole answer', () => {
  const reply: CanonicalReply = {
    choices: [
      {
        parts: [
          { kind: 'reasoning', text: 'Hm', format: 'unknown' },
          { kind: 'text', text: ' a time' },
          { kind: 'opaque', protocol: 'openai', value: { completion_logprobs: { tokens: [' a'] } } },
        ],
        finishReason: 'length',
        nativeFinishReason: 'length',
      },
      { parts: [{ kind: 'refusal', text: 'No.' }], finishReason: 'stop', nativeFinishReason: 'stop' },
    ],
    usage: null,
  }

  it('has a text for each completion, with usage and cost', () => {
    expect(JSON.parse(completionsDialect.renderDocument(reply, charged, contextOf(plain)))).toEqual({
      ...head,
      choices: [
        { index: 0, text: ' a time', logprobs: { tokens: [' a'] }, finish_reason: 'length' },
        { index: 1, text: 'No.', logprobs: null, finish_reason: 'stop' },
      ],
      usage,
    })
    expect(JSON.parse(completionsDialect.renderDocument(reply, null, contextOf(plain)))).not.toHaveProperty('usage')
  })

  it('begins with the prompts of the request if the client wants an echo', () => {
    expect(textsOf(reply, { ...plain, echo: true, n: 2 })).toEqual(['Once upon a time', 'Once uponNo.'])
    expect(textsOf(reply, { ...plain, echo: true, prompt: ['One', 'Two '] })).toEqual(['One a time', 'Two No.'])
  })
})

const text = (words: string, choice = 0): StreamPart => ({ kind: 'text-added', choice, text: words })
const finished = (choice = 0): StreamPart => ({ kind: 'finished', choice, reason: 'stop', native: null })

function framesOf(body: JsonObject, parts: readonly StreamPart[], paid: Charged | null = charged) {
  const writer = completionsDialect.createWriter(contextOf(body))
  const written = parts.map((part) => writer.write(part)).join('') + writer.close(paid)
  return written
    .trimEnd()
    .split('\n\n')
    .map((frame) => (frame === 'data: [DONE]' ? 'done' : JSON.parse(frame.slice('data: '.length))))
}
const chunk = (index: number, words: string, more: JsonObject = {}) => ({
  ...head,
  choices: [{ index, text: words, logprobs: null, finish_reason: null, ...more }],
})
const last = { ...chunk(0, '', { finish_reason: 'stop' }), usage }

describe('[NEXT-140] a streamed answer', () => {
  it('has a chunk for each text, and the last one has finish reason, usage and cost', () => {
    const parts: StreamPart[] = [
      { kind: 'reasoning-added', choice: 0, text: 'Hm', format: 'unknown' },
      text(' a'),
      { kind: 'opaque-added', choice: 0, part: { kind: 'opaque', protocol: 'openai', value: { other: 1 } } },
      {
        kind: 'opaque-added',
        choice: 0,
        part: { kind: 'opaque', protocol: 'openai', value: { completion_logprobs: { tokens: [' a'] } } },
      },
      { kind: 'refusal-added', choice: 0, text: 'No.' },
      finished(),
    ]
    expect(framesOf(plain, parts)).toEqual([
      chunk(0, ' a'),
      chunk(0, '', { logprobs: { tokens: [' a'] } }),
      chunk(0, 'No.'),
      last,
      'done',
    ])
  })

  it('ends every completion but the last in a chunk of its own', () => {
    const frames = framesOf({ ...plain, n: 2 }, [text('a', 1), finished(1), text('b'), finished()])
    expect(frames).toEqual([chunk(1, 'a'), chunk(0, 'b'), chunk(1, '', { finish_reason: 'stop' }), last, 'done'])
  })

  it('begins each completion with its prompt if the client wants an echo, once', () => {
    const body = { ...plain, prompt: ['One', 'Two'], echo: true }
    expect(framesOf(body, [text('b', 1), text('c', 1), finished(1), finished()])).toEqual([
      chunk(1, 'Two'),
      chunk(1, 'b'),
      chunk(1, 'c'),
      chunk(0, 'One'),
      chunk(1, '', { finish_reason: 'stop' }),
      last,
      'done',
    ])
  })

  it('ends without usage where nothing was counted', () => {
    expect(framesOf(plain, [text('a')], null)).toEqual([chunk(0, 'a'), 'done'])
    expect(framesOf(plain, [text('a'), finished()], null)).toEqual([
      chunk(0, 'a'),
      chunk(0, '', { finish_reason: 'stop' }),
      'done',
    ])
    expect(framesOf(plain, [text('a')])).toEqual([chunk(0, 'a'), { ...head, choices: [], usage }, 'done'])
  })

  it('ends with the error that ended it', () => {
    const writer = completionsDialect.createWriter(contextOf(plain))
    expect(writer.fail(new GatewayError('upstreamUnavailable', { message: 'Lost.' }))).toContain('"message":"Lost."')
  })
})
