import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import { importModels } from '#test/money/import-models.ts'
import type { Reply } from '#test/setup/reply.ts'
import { anthropicAnswers } from '#test/simulators/protocols/anthropic/anthropic-answers.ts'
import { anthropicDocument } from '#test/simulators/protocols/anthropic/anthropic-document.ts'
import { anthropicStream } from '#test/simulators/protocols/anthropic/anthropic-stream.ts'
import { jsonAnswer } from '#test/simulators/scenarios/json-answer.ts'
import { vendorCompletion } from '#test/simulators/scenarios/vendor-completion.ts'
import { vendorStream } from '#test/simulators/scenarios/vendor-stream.ts'
import {
  at,
  bodySeenBy,
  type DialectWorld,
  listAt,
  modelOf,
  startDialectWorld,
  textAt,
  type UpstreamName,
} from './dialect-world.ts'
import { answerOf } from './upstream-answers.ts'

const question = [{ role: 'user', content: 'Why is the sky blue?' }]

describe('what a caller of chat says about reasoning and form', () => {
  let world: DialectWorld
  beforeAll(async () => {
    world = await startDialectWorld()
    await importModels(world.gateway.pool, [
      { id: 'openai/o4-mini', provider: 'openai', pricing: { prompt: '0.000001', completion: '0.000004' } },
      {
        id: 'qwen/qwen3-double',
        provider: 'alibaba',
        pricing: { prompt: '0.000001', completion: '0.000004', reasoning: '0.000008' },
      },
    ])
    await world.gateway.gateway.refresh()
  })
  afterAll(() => world.close())
  beforeEach(() => {
    world.forget()
    world.upstreams.claude.play({
      kind: 'by-request',
      stream: anthropicStream(anthropicAnswers.text),
      json: anthropicDocument(anthropicAnswers.text),
    })
  })

  async function chat(upstream: UpstreamName, body: JsonObject): Promise<Reply> {
    const reply = await world.post('/v1/chat/completions', { model: modelOf[upstream], messages: question, ...body })
    expect(reply.status, reply.text).toBe(200)
    return reply
  }

  async function seenBy(upstream: UpstreamName, body: JsonObject): Promise<JsonObject> {
    await chat(upstream, body)
    return bodySeenBy(world.upstreams[upstream])
  }

  it('[SCHEMA-01] json_object reaches the upstream, and JSON comes back', async () => {
    const message = { role: 'assistant', content: '{"sky":"blue"}' }
    world.upstreams.openai.playNext(
      jsonAnswer(200, {
        id: 'chatcmpl-1',
        object: 'chat.completion',
        created: 1_790_000_000,
        model: 'gpt-5.2',
        choices: [{ index: 0, message, finish_reason: 'stop' }],
        usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
      }),
    )
    const reply = await chat('openai', { response_format: { type: 'json_object' } })
    expect(bodySeenBy(world.upstreams.openai).response_format).toEqual({ type: 'json_object' })
    expect(JSON.parse(textAt(reply.json, 'choices.0.message.content'))).toEqual({ sky: 'blue' })
    world.upstreams.gemini.playNext(answerOf('gemini', { kind: 'text', pieces: ['{"sky"', ':"blue"}'] }, false))
    const other = await chat('gemini', { response_format: { type: 'json_object' } })
    expect(at(bodySeenBy(world.upstreams.gemini), 'generationConfig.responseMimeType')).toBe('application/json')
    expect(JSON.parse(textAt(other.json, 'choices.0.message.content'))).toEqual({ sky: 'blue' })
  })

  it.each([{}, { strict: true }, { strict: false }])(
    '[SCHEMA-02] a json_schema format reaches the upstream unchanged with %j',
    async (strict) => {
      const schema = { type: 'object', properties: { colour: { enum: ['blue', null, 'grå'] } }, $defs: { a: true } }
      const format = { type: 'json_schema', json_schema: { name: 'sky', ...strict, schema } }
      const seen = await seenBy('openai', { response_format: format })
      expect(seen.response_format).toEqual(format)
      const told = await seenBy('claude', { response_format: format })
      expect(told.output_config).toEqual({ format: { type: 'json_schema', schema } })
    },
  )

  it.each(['low', 'medium', 'high'])(
    '[REASON-01] reasoning_effort %s reaches the upstream unchanged',
    async (effort) => {
      const seen = await seenBy('openai', { reasoning_effort: effort })
      expect(seen.reasoning_effort).toBe(effort)
    },
  )

  it.each(['xhigh', 'high', 'medium', 'low', 'none'])(
    '[REASON-02] reasoning.effort %s reaches a chat upstream unchanged and Claude as thinking',
    async (effort) => {
      const seen = await seenBy('openrouter', { reasoning: { effort } })
      expect(seen.reasoning).toEqual({ effort })
      const told = await seenBy('claude', { reasoning: { effort }, max_tokens: 20_000 })
      expect(told.thinking).toEqual(
        effort === 'none'
          ? { type: 'disabled' }
          : { type: 'enabled', budget_tokens: { xhigh: 19_000, high: 16_000, medium: 10_000, low: 4_000 }[effort] },
      )
      expect(told).not.toHaveProperty('reasoning')
    },
  )

  it('[REASON-02] reasoning.max_tokens reaches a chat upstream unchanged and Claude as its budget', async () => {
    const reasoning = { max_tokens: 3_000 }
    expect((await seenBy('openrouter', { reasoning })).reasoning).toEqual(reasoning)
    const told = await seenBy('claude', { reasoning, max_tokens: 9_000 })
    expect(told.thinking).toEqual({ type: 'enabled', budget_tokens: 3_000 })
    expect(told.max_tokens).toBe(9_000)
  })

  it.each([false, true])('[REASON-03] reasoning.exclude leaves no thought in an answer, stream: %s', async (stream) => {
    const said = {
      kind: 'reasoning',
      thinking: ['a secret ', 'thought'],
      pieces: ['Be', 'cause.'],
      usage: { prompt: 10, completion: 50, reasoning: 30 },
    } as const
    const usages: unknown[] = []
    for (const reasoning of [{ exclude: true }, {}]) {
      for (const upstream of ['openrouter', 'claude'] as const) {
        world.upstreams.openrouter.playNext(
          stream ? vendorStream('openrouter', said) : vendorCompletion('openrouter', said),
        )
        world.upstreams.claude.playNext(stream ? anthropicStream(said) : anthropicDocument(said))
        const reply = await chat(upstream, { reasoning, stream })
        if (reasoning.exclude) expect(reply.text).not.toMatch(/secret|thought|"reasoning"|reasoning_details|signature/)
        else expect(reply.text).toMatch(/secret/)
        expect(reply.text).toContain('Be')
        const usage = stream ? reply.events.at(-1)?.data.usage : reply.json.usage
        expect(usage).toMatchObject({ completion_tokens: 50, completion_tokens_details: { reasoning_tokens: 30 } })
        usages.push(usage)
        world.forget()
      }
    }
    // The charge is the same as with visible thoughts.
    expect(usages.slice(0, 2)).toEqual(usages.slice(2))
    expect(Number(at(usages[0], 'cost'))).toBeGreaterThan(0)
  })

  it.each([
    ['zhipu', { thinking: { type: 'enabled', budget_tokens: 2_000 } }],
    ['zhipu', { thinking: { type: 'disabled' } }],
    ['claude', { thinking: { type: 'enabled', budget_tokens: 2_000 } }],
    ['claude', { thinking: { type: 'disabled' } }],
    ['alibaba', { enable_thinking: true }],
    ['alibaba', { enable_thinking: false }],
  ] as const)('[REASON-04] %s is sent %j unchanged', async (upstream, field) => {
    expect(await seenBy(upstream, field)).toMatchObject(field)
  })

  it('[REASON-05] Qwen 3 is told not to think unless the caller says anything of thinking', async () => {
    const model = modelOf.alibaba
    expect((await seenBy('alibaba', { model })).enable_thinking).toBe(false)
    expect((await seenBy('alibaba', { model, enable_thinking: true })).enable_thinking).toBe(true)
    expect(await seenBy('alibaba', { model, thinking_budget: 100 })).not.toHaveProperty('enable_thinking')
    // The gateway's only default: no other model gets it.
    expect(await seenBy('groq', {})).not.toHaveProperty('enable_thinking')
    const answers = await world.post('/v1/responses', { model, input: 'Hi' })
    expect(answers.status, answers.text).toBe(200)
    expect(bodySeenBy(world.upstreams.alibaba).enable_thinking).toBe(false)
  })

  it('[REASON-06] the thinking of Qwen 3 costs the thinking price, and its answer the ordinary one', async () => {
    const model = 'qwen/qwen3-double'
    const usage = { prompt: 10, completion: 1_000, reasoning: 600 }
    const said = { kind: 'reasoning', thinking: ['Hm'], pieces: ['Blue'] } as const
    world.upstreams.alibaba.playNext(vendorCompletion('dashscope', { ...said, usage }))
    const thinking = await chat('alibaba', { model, enable_thinking: true })
    expect(bodySeenBy(world.upstreams.alibaba).enable_thinking).toBe(true)
    // 10 × 0.000001 + 600 × 0.000008 + 400 × 0.000004
    expect(at(thinking.json, 'usage.cost')).toBe(0.00641)
    world.upstreams.alibaba.playNext(
      vendorCompletion('dashscope', { kind: 'text', pieces: ['Blue'], usage: { prompt: 10, completion: 1_000 } }),
    )
    const plain = await chat('alibaba', { model })
    expect(at(plain.json, 'usage.cost')).toBe(0.00001 + 0.004)
  })

  it('[REASON-07] a model of the o-series is sent no effort that nobody asked for', async () => {
    const model = 'openai/o4-mini'
    const seen = await seenBy('openai', { model })
    expect(seen.model).toBe('o4-mini')
    expect(seen).not.toHaveProperty('reasoning_effort')
    expect(seen).not.toHaveProperty('reasoning')
    expect((await seenBy('openai', { model, reasoning_effort: 'low' })).reasoning_effort).toBe('low')
  })

  it.each([
    { thinking: { type: 'disabled' } },
    { enable_thinking: false },
    { reasoning: { effort: 'none' } },
    { reasoning: { enabled: false } },
  ])('[REASON-08] a model that always thinks answers %j and is paid for its thoughts', async (wish) => {
    const usage = { prompt: 10, completion: 500, reasoning: 400 }
    world.upstreams.openrouter.playNext(
      vendorCompletion('openrouter', { kind: 'reasoning', thinking: ['Hm'], pieces: ['Blue'], usage }),
    )
    const reply = await chat('openrouter', wish)
    expect(at(reply.json, 'usage.completion_tokens_details.reasoning_tokens')).toBe(400)
    expect(at(reply.json, 'usage.cost')).toBeCloseTo(10 * 0.00000022 + 500 * 0.00000055, 9)
    // Gemini's Pro models cannot stop thinking, and would reject the setting.
    world.upstreams.gemini.playNext(
      jsonAnswer(200, {
        candidates: [{ content: { role: 'model', parts: [{ text: 'Blue' }] }, finishReason: 'STOP', index: 0 }],
        usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, thoughtsTokenCount: 70, totalTokenCount: 85 },
      }),
    )
    const pro = await chat('gemini', wish)
    expect(at(pro.json, 'usage.completion_tokens_details.reasoning_tokens')).toBe(70)
    expect(at(pro.json, 'usage.cost')).toBeCloseTo(10 * 0.0000022 + 75 * 0.000013, 9)
    expect(bodySeenBy(world.upstreams.gemini)).not.toHaveProperty('generationConfig.thinkingConfig.thinkingBudget', 0)
  })

  it('[REASON-09] thoughts stream with their details, and signatures return byte for byte', async () => {
    const { claude } = world.upstreams
    claude.playNext(anthropicStream(anthropicAnswers['redacted-thinking']))
    const first = await chat('claude', { stream: true, reasoning: { max_tokens: 2_000 } })
    const deltas = first.events.flatMap(({ data }) => listAt(data, 'choices').map((choice) => choice.delta))
    expect(deltas.map((delta) => (isJsonObject(delta) ? (delta.reasoning ?? '') : '')).join('')).toBe('Hm, 東')
    const details = deltas.flatMap((delta) =>
      isJsonObject(delta) && delta.reasoning_details !== undefined ? listAt(delta, 'reasoning_details') : [],
    )
    expect(new Set(details.map(({ type }) => type))).toEqual(new Set(['reasoning.text', 'reasoning.encrypted']))
    const message = assistantOf(deltas.filter(isJsonObject), details)
    claude.playNext(anthropicDocument(anthropicAnswers.text))
    await chat('claude', {
      reasoning: { max_tokens: 2_000 },
      messages: [...question, message, { role: 'tool', tool_call_id: 'toolu_02', content: 'noon' }],
    })
    const thought = anthropicAnswers['redacted-thinking'].blocks[0]
    expect(at(bodySeenBy(claude), 'messages.1.content')).toEqual([
      { type: 'thinking', thinking: 'Hm, 東', signature: thought.signature },
      { type: 'redacted_thinking', data: 'ZW5jcnlwdGVk' },
      { type: 'text', text: 'Hello' },
      { type: 'tool_use', id: 'toolu_02', name: 'get_time', input: { zone: 'UTC' } },
    ])
  })

  it('[REASON-09] a summary streams as one', async () => {
    const detail = { type: 'reasoning.summary', summary: 'In short', format: 'openai-responses-v1', index: 0 }
    world.upstreams.openrouter.playNext({
      kind: 'steps',
      steps: [
        { do: 'head', status: 200, headers: { 'content-type': 'text/event-stream' } },
        { do: 'write', text: chunkOf({ role: 'assistant', reasoning: 'In short', reasoning_details: [detail] }) },
        { do: 'write', text: chunkOf({ content: 'Blue' }) },
        { do: 'write', text: `${chunkOf({}, 'stop')}data: [DONE]\n\n` },
        { do: 'end' },
      ],
    })
    const reply = await chat('openrouter', { stream: true })
    const shown = reply.events.find(({ data }) => JSON.stringify(data).includes('In short'))
    expect(at(shown?.data, 'choices.0.delta')).toMatchObject({
      reasoning: 'In short',
      reasoning_details: [{ type: 'reasoning.summary', summary: 'In short' }],
    })
  })
})

/** The message that a client stores from a stream: deltas of one index are joined. */
function assistantOf(deltas: readonly JsonObject[], details: readonly JsonObject[]): JsonObject {
  const joined = new Map<unknown, JsonObject>()
  for (const detail of details) {
    const before = joined.get(detail.index) ?? {}
    const text = `${String(before.text ?? '')}${String(detail.text ?? '')}`
    joined.set(detail.index, { ...before, ...detail, ...(detail.type === 'reasoning.text' ? { text } : {}) })
  }
  const calls = deltas.flatMap((delta) => (delta.tool_calls === undefined ? [] : listAt(delta, 'tool_calls')))
  const written = calls.map((call) => String(at(call, 'function.arguments') ?? '')).join('')
  const [call] = calls
  return {
    role: 'assistant',
    content: deltas.map((delta) => delta.content ?? '').join(''),
    reasoning_details: [...joined.values()],
    tool_calls: [
      {
        id: textAt(call, 'id'),
        type: 'function',
        function: { name: textAt(call, 'function.name'), arguments: written },
      },
    ],
  }
}

function chunkOf(delta: JsonObject, finishReason: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason: finishReason }]
  const chunk = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_790_000_000, model: 'grok', choices }
  return `data: ${JSON.stringify(chunk)}\n\n`
}
