import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parseUsd } from '#domain/money/nano-usd.ts'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import { hello } from '#test/setup/call-chat.ts'
import type { Reply } from '#test/setup/reply.ts'
import { anthropicDocument } from '#test/simulators/protocols/anthropic/anthropic-document.ts'
import { eventFrame, streamOf } from '#test/simulators/protocols/anthropic/anthropic-stream.ts'
import type { JsonObject as AnswerJson } from '#test/simulators/json-value.ts'
import type { Scenario } from '#test/simulators/scenario.ts'
import { jsonAnswer } from '#test/simulators/scenarios/json-answer.ts'
import { vendorCompletion } from '#test/simulators/scenarios/vendor-completion.ts'
import { importModels } from './import-models.ts'
import { type MoneyWorld, startMoneyWorld } from './money-world.ts'

// A prompt token costs 1,000 nano-dollars, and an output token 2,000.
const pricing = { prompt: '0.000001', completion: '0.000002' }
const counts = { prompt: 100, completion: 10 }

let world: MoneyWorld

beforeAll(async () => {
  world = await startMoneyWorld()
  await importModels(world.pool, [
    { id: 'acme/claude', provider: 'anthropic', pricing: { ...pricing, web_search: '0.01' }, callsTools: true },
    { id: 'acme/claude-unsearched', provider: 'anthropic', pricing, callsTools: true },
    { id: 'acme/qwen', provider: 'alibaba', pricing, callsTools: true },
  ])
  for (const [vendor, pattern, base] of [
    ['anthropic', 'acme/claude', ''],
    ['anthropic', 'acme/claude-unsearched', ''],
    ['alibaba', 'acme/qwen', '/v1'],
  ] as const) {
    await world.addProvider({ vendor, name: pattern.replace('/', '-'), url: world.upstream.url + base, pattern })
  }
  await world.gateway.refresh()
})
afterAll(() => world.close())
beforeEach(() => world.upstream.forget())

/**
 * The documented example: a compaction that read 180,000 tokens and wrote 3,500, before a response of 23,000 and 1,000.
 */
const iterations = [
  { type: 'compaction', input_tokens: 180_000, output_tokens: 3_500 },
  { type: 'message', input_tokens: 23_000, output_tokens: 1_000 },
]

function compacted(usage: AnswerJson): Scenario {
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude' }
  const content = [{ type: 'text', text: 'Hello' }]
  const stop = { stop_reason: 'end_turn', stop_sequence: null }
  const frames = [
    eventFrame('message_start', { message: { ...message, content: [], usage: { input_tokens: 0, output_tokens: 1 } } }),
    eventFrame('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
    eventFrame('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'Hello' } }),
    eventFrame('content_block_stop', { index: 0 }),
    eventFrame('message_delta', { delta: stop, usage }),
    eventFrame('message_stop', {}),
  ]
  return {
    kind: 'by-request',
    stream: streamOf(frames),
    json: jsonAnswer(200, { ...message, content, ...stop, usage }),
  }
}

describe.each([
  ['/v1/messages', false],
  ['/v1/messages', true],
  ['/v1/chat/completions', false],
  ['/v1/chat/completions', true],
])('V1: through %s, stream: %s', (path, stream) => {
  it.each([
    ['beside the answer', { input_tokens: 23_000, output_tokens: 1_000, iterations }, 203_000n, 4_500n],
    ['alone', { input_tokens: 0, output_tokens: 0, iterations: iterations.slice(0, 1) }, 180_000n, 3_500n],
  ])('a compaction that Claude bills %s is charged', async (_what, usage, prompt, completion) => {
    const caller = await world.createClient({ usd: '10' })
    world.upstream.play(compacted(usage))
    const body = { model: 'acme/claude', max_tokens: 8_000, messages: hello, stream }
    const reply = await world.as(caller).post(path, body)
    expect(reply.status, reply.text).toBe(200)
    await world.settled()
    const { charged } = await world.walletOf(caller.walletId)
    expect(parseUsd(charged)).toBe(prompt * 1_000n + completion * 2_000n)
    await world.expectSoundBooks()
  })
})

function bodySeen(): JsonObject {
  const body: unknown = world.upstream.requests.at(-1)?.body
  if (!isJsonObject(body)) throw new Error('the upstream was asked for nothing')
  return body
}

async function ask(path: string, body: JsonObject, headers: Record<string, string> = {}): Promise<Reply> {
  const caller = await world.createClient({ usd: '10' })
  return world.as(caller).post(path, { max_tokens: 100, messages: hello, ...body }, { headers })
}

const own = { name: 'own', description: 'd', input_schema: { type: 'object' } }
const advisor = { type: 'advisor_20260301', name: 'advisor', model: 'claude-opus-5' }
const search = { type: 'web_search_20250305', name: 'web_search', max_uses: 1 }
const answer = { kind: 'text', pieces: ['Hello'], usage: counts } as const

describe('V1: what would be billed without a price does not reach the upstream', () => {
  it('[MSG-07] of Messages: compaction, advisors and their betas', async () => {
    world.upstream.play(anthropicDocument(answer))
    const edits = [{ type: 'clear_thinking_20251015' }, { type: 'compact_20260112', pause_after_compaction: true }]
    const reply = await ask(
      '/v1/messages',
      { model: 'acme/claude', tools: [own, advisor, search], context_management: { edits }, container: 'c_1' },
      { 'anthropic-beta': 'compact-2026-01-12,context-management-2025-06-27,advisor-tool-2026-03-01' },
    )
    expect(reply.status, reply.text).toBe(200)
    expect(reply.headers.get('x-params-ignored')).toBe(
      'context_management, container, tools.advisor_20260301, anthropic-beta',
    )
    expect(bodySeen()).toMatchObject({ tools: [own, search], context_management: { edits: [edits[0]] } })
    expect(bodySeen()).not.toHaveProperty('container')
    expect(world.upstream.requests.at(-1)?.headers['anthropic-beta']).toBe('context-management-2025-06-27')
  })

  it('of Messages: a search where searches have no price', async () => {
    world.upstream.play(anthropicDocument(answer))
    const reply = await ask('/v1/messages', { model: 'acme/claude-unsearched', tools: [own, search] })
    expect(reply.headers.get('x-params-ignored')).toBe('tools.web_search_20250305')
    expect(bodySeen().tools).toEqual([own])
  })

  it('of Messages and chat: files of the operator are refused by name, and nothing is charged', async () => {
    const document = { type: 'document', source: { type: 'file', file_id: 'file_1' } }
    const refused = await ask('/v1/messages', {
      model: 'acme/claude',
      messages: [{ role: 'user', content: [document] }],
    })
    expect(refused.status, refused.text).toBe(400)
    expect(refused.text).toContain('file_id')
    const file = { type: 'file', file: { file_id: 'file_1' } }
    const chat = await ask('/v1/chat/completions', {
      model: 'acme/qwen',
      messages: [{ role: 'user', content: [file] }],
    })
    expect(chat.status, chat.text).toBe(400)
    expect(chat.json).toMatchObject({ error: { code: 'unsupported_param' } })
    expect(world.upstream.requests).toHaveLength(0)
    await world.expectSoundBooks()
  })

  it('[CHAT-25] of chat: searches, other addresses and tools that the vendor runs', async () => {
    world.upstream.play(vendorCompletion('openai', answer))
    const wrapped = { type: 'function', function: { name: 'own', parameters: {} } }
    const reply = await ask('/v1/chat/completions', {
      model: 'acme/qwen',
      enable_search: true,
      base_url: 'https://elsewhere.example',
      best_of: 9,
      top_k: 5,
      tools: [wrapped, { type: 'web_search', web_search: {} }],
    })
    expect(reply.status, reply.text).toBe(200)
    expect(reply.headers.get('x-params-ignored')).toBe('enable_search, base_url, best_of, tools.web_search')
    expect(Object.keys(bodySeen()).toSorted()).toEqual(['max_tokens', 'messages', 'model', 'stream', 'tools', 'top_k'])
    expect(bodySeen().tools).toEqual([wrapped])
  })
})

it('V1: usage that is new to us is counted by provider, and named in the log', async () => {
  world.upstream.play(compacted({ input_tokens: 10, output_tokens: 5, moon_tokens: 7 }))
  const reply = await ask('/v1/messages', { model: 'acme/claude' })
  expect(reply.status, reply.text).toBe(200)
  expect(await world.readMetrics()).toMatch(/weir_unknown_words_total\{provider="anthropic",kind="usage"\} [1-9]/)
  expect(world.logLines.join('')).toContain('"word":"moon_tokens"')
})
