import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parseUsd } from '#domain/money/nano-usd.ts'
import { isJsonObject, type JsonObject, objectAt } from '#lib/json.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import { hello } from '#test/setup/call-chat.ts'
import type { Reply } from '#test/setup/reply.ts'
import { openStream } from '#test/streams/stream-client.ts'
import { anthropicDocument } from '#test/simulators/protocols/anthropic/anthropic-document.ts'
import { anthropicStream } from '#test/simulators/protocols/anthropic/anthropic-stream.ts'
import { geminiDocument } from '#test/simulators/protocols/gemini/gemini-document.ts'
import { geminiStream } from '#test/simulators/protocols/gemini/gemini-stream.ts'
import type { Scenario } from '#test/simulators/scenario.ts'
import type { Answer, UsageNumbers } from '#test/simulators/scenarios/answer.ts'
import { insertAfterWrites } from '#test/simulators/scenarios/change-steps.ts'
import { jsonAnswer } from '#test/simulators/scenarios/json-answer.ts'
import { vendorCompletion } from '#test/simulators/scenarios/vendor-completion.ts'
import { vendorStream } from '#test/simulators/scenarios/vendor-stream.ts'
import type { VendorName } from '#test/simulators/vendors/vendor-style.ts'
import { importModels } from './import-models.ts'
import { costTextOf, type MoneyWorld, startMoneyWorld, usageOf } from './money-world.ts'

// A prompt token costs 1,000 nano-dollars, and an output token 2,000.
const tokens = { prompt: '0.000001', completion: '0.000002' }
const counts = { prompt: 100, completion: 10 }
/** The cost of those counts alone, in nano-dollars. */
const words = 120_000n
/** The gateway's estimate for the greeting and the tool of every message: ten tokens and sixteen. */
const asked = 26_000n

const models = [
  {
    id: 'acme/sonar',
    provider: 'perplexity',
    pricing: { ...tokens, web_search: '0.005' },
    rules: [{ unit: 'web_search', usd: '0.012', search_context_size: 'high' }],
  },
  {
    id: 'acme/deep-research',
    provider: 'perplexity',
    pricing: { ...tokens, web_search: '0.005', citation_token: '0.000002' },
  },
  { id: 'acme/claude', provider: 'anthropic', pricing: { ...tokens, web_search: '0.01' } },
  { id: 'acme/gemini-3', provider: 'google-ai-studio', pricing: { ...tokens, web_search: '0.014' } },
  { id: 'acme/plugin', provider: 'openrouter', pricing: { ...tokens, web_search: '0.01' } },
  { id: 'acme/grok', provider: 'xai', pricing: { ...tokens, web_search: '0.005' } },
  { id: 'acme/gpt-search-preview', provider: 'openai', pricing: { ...tokens, web_search: '0.035' } },
] as const

let world: MoneyWorld

beforeAll(async () => {
  world = await startMoneyWorld()
  await importModels(
    world.pool,
    models.map((model) => ({ ...model, maxCompletionTokens: 64_000, callsTools: true })),
  )
  const bases: Readonly<Record<string, string>> = { anthropic: '', 'google-ai-studio': '/v1' }
  for (const { id, provider } of models) {
    const url = world.upstream.url + (bases[provider] ?? '/v1')
    await world.addProvider({ vendor: provider, name: id.replace('/', '-'), url, pattern: id })
  }
  await world.gateway.refresh()
})
afterAll(() => world.close())
beforeEach(() => world.upstream.forget())

function answerOf(usage: Partial<UsageNumbers> = {}): Answer {
  return { kind: 'text', pieces: ['Hel', 'lo'], usage: { ...counts, ...usage } }
}

function inForm(name: VendorName, answer: Answer): Scenario {
  return { kind: 'by-request', stream: vendorStream(name, answer), json: vendorCompletion(name, answer) }
}

function asClaude(usage: Partial<UsageNumbers>): Scenario {
  return {
    kind: 'by-request',
    stream: anthropicStream(answerOf(usage)),
    json: anthropicDocument(answerOf(usage)),
  }
}

const search = { type: 'web_search_20250305', name: 'web_search' }

/** Posts like a Messages client. */
function message(caller: { key: string }, body: JsonObject): Promise<Reply> {
  return world.as(caller).post('/v1/messages', { model: 'acme/claude', max_tokens: 100, messages: hello, ...body })
}

/** The usage of a message, streamed or not. */
function messageUsage(reply: Reply): JsonObject {
  const end = reply.events.findLast(({ data }) => data.type === 'message_delta')
  return objectAt(end?.data ?? reply.json, 'usage')
}

async function generationOf(caller: TestClient, reply: Reply): Promise<JsonObject> {
  return world.get(caller, `/v1/generation?id=${reply.headers.get('x-generation-id')}`)
}

async function chargedTo(caller: TestClient): Promise<bigint> {
  await world.settled()
  const { charged } = await world.walletOf(caller.walletId)
  return parseUsd(charged)
}

function toolsSeen(): unknown {
  const body: unknown = world.upstream.requests.at(-1)?.body
  return isJsonObject(body) ? body.tools : undefined
}

describe.each([false, true])('searches are charged once, stream: %s', (stream) => {
  it('[M1] the fee of a Sonar call, by the list and not by what Perplexity states', async () => {
    const caller = await world.createClient()
    world.upstream.play(inForm('perplexity', answerOf()))
    const reply = await world.call(caller, { model: 'acme/sonar', stream })
    expect(costTextOf(reply)).toBe('0.00512')
    expect(usageOf(reply)).toMatchObject({ prompt_tokens: 100, server_tool_use: { web_search_requests: 1 } })
    expect(await chargedTo(caller)).toBe(words + 5_000_000n)
    expect(await generationOf(caller, reply)).toMatchObject({
      total_cost: 0.00512,
      usage: {
        server_tool_use: { web_search_requests: 1 },
        media: { variant: { search_context_size: 'low' } },
      },
      receipt: {
        total: 0.00512,
        lines: [
          { item: 'uncachedInput', count: 100, unit_price_usd: '0.000001' },
          { item: 'textOutput', count: 10, unit_price_usd: '0.000002' },
          { item: 'web_search', count: 1, unit_price_usd: '0.005' },
        ],
      },
    })
  })

  it.each([
    ['/v1/chat/completions', { messages: hello }],
    ['/v1/responses', { input: 'Hello' }],
    ['/v1/messages', { messages: hello, max_tokens: 100 }],
  ])('[M1] the queries of a deep research and what it quotes, through %s', async (path, body) => {
    const caller = await world.createClient()
    world.upstream.play(inForm('perplexity', answerOf({ searches: 74, citations: 7_299 })))
    const reply = await world.as(caller).post(path, { model: 'acme/deep-research', stream, ...body })
    expect(reply.status, reply.text).toBe(200)
    // 74 at 0.005, 7,299 at 0.000002.
    expect(await chargedTo(caller)).toBe(words + 370_000_000n + 14_598_000n)
    expect(await generationOf(caller, reply)).toMatchObject({
      usage: { citation_tokens: 7_299, server_tool_use: { web_search_requests: 74 } },
      receipt: {
        lines: [
          { item: 'uncachedInput' },
          { item: 'textOutput' },
          { item: 'web_search', count: 74, unit_price_usd: '0.005' },
          { item: 'citation_token', count: 7_299, unit_price_usd: '0.000002' },
        ],
      },
    })
  })

  it('[M2] those of Claude through Messages, whose usage passes as it came', async () => {
    const caller = await world.createClient()
    world.upstream.play(asClaude({ searches: 3 }))
    const reply = await message(caller, { tools: [search], stream })
    expect(messageUsage(reply)).toMatchObject({
      server_tool_use: { web_search_requests: 3, web_fetch_requests: 0 },
      weir_cost: 0.03012,
    })
    expect(await chargedTo(caller)).toBe(words + 30_000_000n)
    expect(objectAt(await generationOf(caller, reply), 'receipt').lines).toContainEqual({
      item: 'web_search',
      count: 3,
      unit_price_usd: '0.01',
    })
  })

  it('[M2] those of Claude through chat', async () => {
    const caller = await world.createClient()
    world.upstream.play(asClaude({ searches: 2 }))
    const reply = await world.call(caller, { model: 'acme/claude', tools: [search], stream })
    expect(costTextOf(reply)).toBe('0.02012')
    expect(usageOf(reply)).toMatchObject({ server_tool_use: { web_search_requests: 2 } })
  })

  const gemini = {
    kind: 'text',
    pieces: ['Hello'],
    model: 'gemini-3-pro',
    usage: { prompt: 100, candidates: 10, queries: ['weirs', 'dams'] },
  } as const

  it.each<[string, string, Scenario, bigint]>([
    ['the queries of Gemini', 'acme/gemini-3', streamedOr(geminiStream(gemini), geminiDocument(gemini)), 28_000_000n],
    ['those that OpenRouter counts', 'acme/plugin', inForm('openrouter', answerOf({ searches: 2 })), 20_000_000n],
    ['the sources of xAI', 'acme/grok', inForm('xai', answerOf({ searches: 4 })), 20_000_000n],
    [
      'the one of an OpenAI model that always searches',
      'acme/gpt-search-preview',
      inForm('openai', { ...answerOf(), model: 'gpt-search-preview' }),
      35_000_000n,
    ],
  ])('[M1] %s', async (_what, model, scenario, cost) => {
    const caller = await world.createClient()
    world.upstream.play(scenario)
    const reply = await world.call(caller, { model, stream })
    expect(reply.status, reply.text).toBe(200)
    expect(await chargedTo(caller)).toBe(words + cost)
    await world.expectSoundBooks()
  })
})

function streamedOr(stream: Scenario, json: Scenario): Scenario {
  if (stream.kind !== 'steps' || json.kind !== 'steps') throw new Error('both are answers')
  return { kind: 'by-request', stream, json }
}

it('[M1] a search that read much of its sources has the price of that', async () => {
  const caller = await world.createClient()
  const usage = {
    prompt_tokens: 100,
    completion_tokens: 10,
    search_context_size: 'high',
    cost: { request_cost: 0.012 },
  }
  const choices = [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }]
  world.upstream.play(jsonAnswer(200, { id: 'x', object: 'chat.completion', model: 'sonar', choices, usage }))
  const reply = await world.call(caller, { model: 'acme/sonar' })
  expect(costTextOf(reply)).toBe('0.01212')
})

describe('what Claude may search', () => {
  it.each([
    ['five times where its client sets no bound', search, 5],
    ['as often as its client allows', { ...search, max_uses: 2 }, 2],
  ])('[M2] is told: %s', async (_what, tool, uses) => {
    const caller = await world.createClient()
    world.upstream.play(asClaude({}))
    await message(caller, { tools: [tool] })
    expect(toolsSeen()).toEqual([{ ...search, max_uses: uses }])
    await world.call(caller, { model: 'acme/claude', tools: [tool] })
    expect(toolsSeen()).toEqual([{ ...search, max_uses: uses }])
  })

  it('[M2] [B7] is not believed beyond it: at most the hold is charged, and the receipt says so', async () => {
    const caller = await world.createClient()
    world.upstream.play(asClaude({ searches: 500 }))
    const reply = await message(caller, { tools: [{ ...search, max_uses: 2 }], max_tokens: 10 })
    // Two searches, 10,000 tokens read from each, and ten output tokens.
    expect(await chargedTo(caller)).toBe(20_000_000n + 20_000_000n + asked + 20_000n)
    expect(await generationOf(caller, reply)).toMatchObject({ usage_doubted: true })
    await world.expectSoundBooks()
  })
})

/** The amount held while the upstream works. */
async function heldDuring(answer: Scenario, call: (caller: TestClient) => Promise<Reply>): Promise<bigint> {
  if (answer.kind !== 'steps') throw new Error('the answer is one of steps')
  const caller = await world.createClient()
  world.upstream.play({ kind: 'steps', steps: [{ do: 'gate', name: 'g' }, ...answer.steps] })
  const reply = call(caller)
  await world.upstream.waitForGate('g')
  const { held } = await world.walletOf(caller.walletId)
  world.upstream.release('g')
  expect((await reply).status).toBe(200)
  await world.expectSoundBooks()
  return parseUsd(held)
}

describe('a hold', () => {
  it('[M2] [HOLD-10] covers the searches that Claude is allowed, and what it reads of them', async () => {
    const held = await heldDuring(anthropicDocument(answerOf()), (caller) =>
      message(caller, { tools: [{ ...search, max_uses: 3 }], max_tokens: 100 }),
    )
    expect(held).toBe(asked + 200_000n + 3n * (10_000_000n + 10_000_000n))
  })

  it('[M1] [HOLD-10] covers the whole fee of a Sonar call, at its dearest', async () => {
    const held = await heldDuring(vendorCompletion('perplexity', answerOf()), (caller) =>
      world.call(caller, { model: 'acme/sonar', max_tokens: 100 }),
    )
    expect(held).toBe(10_000n + 200_000n + 12_000_000n)
  })

  it('[M2] that cannot cover the searches is refused, and nobody is asked', async () => {
    const caller = await world.createClient({ usd: '0.06' })
    world.upstream.play(asClaude({ searches: 5 }))
    const refused = await message(caller, { tools: [search], max_tokens: 10 })
    expect(refused.status).toBe(402)
    expect(world.upstream.requests).toHaveLength(0)
    const served = await message(caller, { tools: [{ ...search, max_uses: 2 }], max_tokens: 10 })
    expect(served.status, served.text).toBe(200)
  })

  it('[M1] [I8] that a deep research outgrows takes what there is, and the operator bears the rest', async () => {
    // The hold covers a hundred searches and a hundred thousand quoted tokens, which is 0.7 plus the text.
    const caller = await world.createClient({ usd: '0.8' })
    world.upstream.play(inForm('perplexity', answerOf({ searches: 200, citations: 1_000 })))
    const reply = await world.call(caller, { model: 'acme/deep-research', max_tokens: 10 })
    expect(costTextOf(reply)).toBe('0.8')
    expect(await world.walletOf(caller.walletId)).toMatchObject({ balance: '0', held: '0' })
    // 200 at 0.005, 1,000 at 0.000002 and the text are 1.00212.
    const shown = await generationOf(caller, reply)
    expect(shown).toMatchObject({ total_cost: 0.8, absorbed: 0.20212, receipt: { total: 1.00212 } })
    await world.expectSoundBooks()
  })
})

it.each([
  ['acme/claude', insertAfterWrites(anthropicStream(answerOf({ searches: 5 })), 4, { do: 'gate', name: 'g' })],
  ['acme/sonar', insertAfterWrites(vendorStream('perplexity', answerOf()), 1, { do: 'gate', name: 'g' })],
])(
  '[M1] [M2] [HOLD-05] a stream of %s whose client leaves costs nothing, whatever was searched',
  async (model, stream) => {
    const caller = await world.createClient()
    world.upstream.play(stream)
    const client = await openStream(world.as(caller), { model, tools: [search], max_tokens: 100 })
    await client.waitFor('Hel')
    client.leave()
    await world.expectRefunded(caller, 'client_cancelled')
  },
)
