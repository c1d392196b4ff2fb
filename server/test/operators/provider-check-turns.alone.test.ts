import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { runCommandLine } from '#bin/command-line/run-command-line.ts'
import type { JsonObject } from '#lib/json.ts'
import { importModels } from '#test/money/import-models.ts'
import { createSampleDatabase } from '#test/setup/database.ts'
import { redisPrefixOf, testRedisUrl } from '#test/setup/redis.ts'
import { anthropicAnswers } from '#test/simulators/protocols/anthropic/anthropic-answers.ts'
import { anthropicDocument } from '#test/simulators/protocols/anthropic/anthropic-document.ts'
import { responsesDocument } from '#test/simulators/protocols/responses/responses-document.ts'
import { type MediaUpstream, startMediaUpstream } from '#test/simulators/start-media-upstream.ts'
import { type Simulator, startSimulator } from '#test/simulators/start-simulator.ts'

const tokens = { prompt: '0.000001', completion: '0.000004' }
const usage = { prompt_tokens: 5_000, completion_tokens: 2, total_tokens: 5_002 }
const fine = (counts: JsonObject, rest: JsonObject = {}): { body: JsonObject } => ({
  body: {
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
    usage: { ...usage, ...counts },
    ...rest,
  },
})

describe('weir provider check --live', () => {
  let database: Awaited<ReturnType<typeof createSampleDatabase>>
  let host: MediaUpstream
  let claude: Simulator
  let thinker: Simulator

  beforeAll(async () => {
    database = await createSampleDatabase()
    host = await startMediaUpstream(() => fine({}))
    claude = await startSimulator({ strict: 'anthropic' })
    thinker = await startSimulator({ strict: 'openai-responses' })
    Object.assign(process.env, {
      WEIR_SECRET: 'kR7vQ2mZx9LwT4bNc8HdPf3JsGy6UaEe',
      WEIR_POSTGRES_URL: database.url,
      WEIR_REDIS_URL: testRedisUrl(),
      WEIR_REDIS_PREFIX: redisPrefixOf(database.url),
      VENDOR_KEY: 'sk-live-canary-7f3a9b2c4d5e',
    })
    const thinks = { reasons: true, callsTools: true, maxCompletionTokens: 8_000 }
    const tiers = {
      flex_prompt: '0.0000005',
      flex_completion: '0.000002',
      priority_prompt: '0.000002',
      priority_completion: '0.000008',
    }
    await importModels(database.pool, [
      { id: 'anthropic/claude-opus-4-6', provider: 'anthropic', pricing: { ...tokens, ...tiers }, ...thinks },
      { id: 'openai/o9', provider: 'azure', pricing: tokens, ...thinks },
      { id: 'openai/kept', provider: 'openai', pricing: { ...tokens, ...tiers, cache_read: '0.0000001' } },
      { id: 'acme/finder', provider: 'openrouter', pricing: { ...tokens, web_search: '0.005' } },
      { id: 'x-ai/ticking', provider: 'xai', pricing: tokens },
      { id: 'perplexity/finding', provider: 'perplexity', pricing: { ...tokens, web_search: '0.005' } },
    ])
    for (const [vendor, url, api = 'vendor'] of [
      ['anthropic', claude.url],
      ['azure', `${thinker.url}/openai/v1`, 'responses'],
      ['openai', `${host.url}/v1`],
      ['openrouter', `${host.url}/v1`],
      ['xai', `${host.url}/v1`],
      ['perplexity', host.url],
    ]) {
      const added = await weir(`provider add ${vendor} --base-url ${url} --key-env VENDOR_KEY --api ${api}`)
      expect(added).toMatchObject({ code: 0, error: '' })
    }
  })
  afterAll(async () => {
    await Promise.all([host.close(), claude.close(), thinker.close()])
    await database.drop()
  })
  beforeEach(() => {
    host.calls.length = 0
    claude.forget()
    thinker.forget()
  })

  it('sends signed thoughts of Claude back with the result of its call', async () => {
    claude.playNext(anthropicDocument(anthropicAnswers['thinking-then-tool']), anthropicDocument(anthropicAnswers.text))
    const { code, out } = await weir(
      'provider check anthropic --live --model anthropic/claude-opus-4-6 --capability thoughts',
    )
    expect(out).toMatch(/^thoughts +\S+ +accepted .*returned 1 thought, 1 signed or encrypted, and 1 call$/m)
    expect(code).toBe(0)
    const [, second] = claude.requests.map(({ body }) => body)
    expect(second).toMatchObject({
      messages: [
        { role: 'user' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Hm, 東', signature: 'EqQBCkYIBxgCKkAxMjM0+/==' },
            { type: 'tool_use', id: 'toolu_01', name: 'get_weather', input: { city: 'Oslo' } },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_01' }] },
      ],
    })
  })

  it('sends encrypted thoughts of Responses back with the result of a call', async () => {
    const items = [
      { type: 'reasoning', id: 'rs_1', summaries: [['I see.']], encrypted: 'gAAA+/==' },
      { type: 'function_call', call: { id: 'call_1', name: 'get_time', arguments: ['{}'] } },
    ] as const
    thinker.playNext(
      responsesDocument({ kind: 'items', items, usage: { prompt: 50, completion: 20, reasoning: 8 } }),
      responsesDocument({ kind: 'text', pieces: ['Noon'], usage: { prompt: 80, completion: 3 } }),
    )
    const { code, out } = await weir('provider check azure --live --model openai/o9 --capability thoughts --json')
    expect(code).toBe(0)
    expect(JSON.parse(out)).toEqual({
      // 130 prompt tokens and 23 output tokens.
      total: '0.000222',
      results: [
        {
          capability: 'thoughts',
          model: 'o9',
          kind: 'accepted',
          cost: '0.000222',
          stated: null,
          difference: null,
          note: 'returned 1 thought, 1 signed or encrypted, and 1 call',
        },
      ],
    })
    expect(thinker.requests[1]?.body).toMatchObject({
      input: [
        { role: 'user' },
        { type: 'reasoning', id: 'rs_1', encrypted_content: 'gAAA+/==' },
        { type: 'function_call', call_id: 'call_1', name: 'get_time' },
        { type: 'function_call_output', call_id: 'call_1', output: '12:00' },
      ],
    })
  })

  it('fails where the provider rejects the second turn', async () => {
    claude.playNext(anthropicDocument(anthropicAnswers['thinking-then-tool']), {
      kind: 'steps',
      steps: [
        { do: 'head', status: 400, headers: { 'content-type': 'application/json' } },
        { do: 'write', text: '{"type":"error","error":{"type":"invalid_request_error","message":"bad thinking"}}' },
        { do: 'end' },
      ],
    })
    const { code, out } = await weir(
      'provider check anthropic --live --model anthropic/claude-opus-4-6 --capability thoughts',
    )
    expect(out).toMatch(/^thoughts +\S+ +rejected \(400\) +bad thinking$/m)
    expect(code).toBe(1)
  })

  it.each([
    [4_864, 'the second call read 4864 of 5000 prompt tokens from the cache', '0.0056384'],
    [0, 'the second call read 0 of 5000 prompt tokens from the cache; repeat the check', '0.010016'],
  ])('sends a long prompt twice, and says how much of it came from the cache: %d', async (cached, note, cost) => {
    host.play(() => fine(host.calls.length === 1 ? {} : { prompt_tokens_details: { cached_tokens: cached } }))
    const { code, out } = await weir('provider check openai --live --model openai/kept --capability cache')
    expect(code).toBe(0)
    expect(out).toMatch(new RegExp(`^cache +kept +accepted +${cost} +${note}$`, 'm'))
    const [first, second] = host.calls.map(({ json }) => json)
    expect(host.calls).toHaveLength(2)
    expect(first).toEqual(second)
    // Providers cache 4,096 tokens and more; a token has about four characters.
    expect(JSON.stringify(first).length).toBeGreaterThan(4_096 * 4)
  })

  it('asks for each tier that has a price, and charges the one that was served', async () => {
    host.play(({ json }) => fine({}, { service_tier: json.service_tier === 'flex' ? 'flex' : 'default' }))
    const { code, out } = await weir(
      'provider check openai --live --model openai/kept --capability flex --capability priority',
    )
    expect(code).toBe(0)
    expect(out).toMatch(/^flex +kept +accepted +0\.002504 +served as flex$/m)
    expect(out).toMatch(/^priority +kept +accepted +0\.005008 +served and charged in the standard tier$/m)
    expect(host.calls.map(({ json }) => json.service_tier)).toEqual(['flex', 'priority'])
  })

  it('asks Claude for its tier in its own words', async () => {
    claude.playNext(anthropicDocument(anthropicAnswers.text))
    const check = 'provider check anthropic --live --model anthropic/claude-opus-4-6'
    const { out } = await weir(`${check} --capability flex --capability priority`)
    expect(out).toMatch(/^priority +\S+ +accepted +\S+ +served and charged in the standard tier$/m)
    expect(claude.requests.map(({ body }) => body)).toMatchObject([{ speed: 'fast' }])
  })

  it('searches once, and compares the stated cost with the charge', async () => {
    host.play(() => fine({ cost: 0.011, server_tool_use: { web_search_requests: 1 } }))
    const { code, out } = await weir('provider check openrouter --live --model acme/finder --capability search')
    expect(code).toBe(0)
    expect(out).toMatch(/^search +finder +accepted +0\.010008 +0\.011 +\+0\.000992 +searches charged: 1$/m)
    expect(host.calls[0]?.json.plugins).toEqual([{ id: 'web', max_results: 1 }])
  })

  it.each([
    ['xai', 'x-ai/ticking', { cost_in_usd_ticks: 50_080_001 }, '0.005008', '0.005008001', '+0.000000001'],
    ['xai', 'x-ai/ticking', { cost_in_usd_ticks: 50_080_000 }, '0.005008', '0.005008', '0'],
    ['xai', 'x-ai/ticking', {}, '0.005008', '', ''],
    ['openrouter', 'acme/finder', { cost: 0.004 }, '0.005008', '0.004', '-0.001008'],
    [
      'perplexity',
      'perplexity/finding',
      { cost: { request_cost: 0.005, total_cost: 0.0101 } },
      '0.010008',
      '0.0101',
      '+0.000092',
    ],
  ])('reads the cost that %s states', async (account, model, counts, cost, stated, difference) => {
    host.play(() => fine(counts))
    const { code, out } = await weir(`provider check ${account} --live --model ${model} --capability document --json`)
    expect(code).toBe(0)
    const [result] = JSON.parse(out).results
    expect(result).toMatchObject({
      cost,
      stated: stated === '' ? null : stated,
      difference: difference === '' ? null : difference,
    })
  })

  it('says before its first call what all of them cost at most', async () => {
    const errors: string[] = []
    host.play(() => {
      errors.push('called')
      return fine({ cost: 0.011 })
    })
    const line = 'provider check openrouter --live --model acme/finder --capability document --capability search --json'
    const { out } = await weir(line, (text) => errors.push(text))
    expect(errors).toEqual([
      expect.stringMatching(/^These calls cost at most 0\.\d+ USD by the catalogue's prices\.$/),
      'called',
      'called',
    ])
    const most = Number(/[\d.]+(?= USD)/.exec(errors[0] ?? '')?.[0])
    expect(most).toBeGreaterThan(0.005 * 2)
    expect(most).toBeLessThan(0.2)
    expect(JSON.parse(out).results).toHaveLength(2)
    errors.length = 0
    await weir('provider check openrouter --model acme/finder', (text) => errors.push(text))
    expect(errors).toEqual([])
  })
})

async function weir(line: string, hear: (text: string) => void = () => {}) {
  let out = ''
  let error = ''
  const code = await runCommandLine(line.split(' ').filter(Boolean), {
    out: (text) => void (out += `${text}\n`),
    error: (text) => {
      error += `${text}\n`
      hear(text)
    },
    readInput: async () => '',
  })
  return { code, out, error }
}
