import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isJsonObject, type JsonObject, objectAt } from '#lib/json.ts'
import { faults } from '#test/simulators/scenarios/faults.ts'
import { jsonAnswer } from '#test/simulators/scenarios/json-answer.ts'
import { vendorCompletion } from '#test/simulators/scenarios/vendor-completion.ts'
import { vendorStream } from '#test/simulators/scenarios/vendor-stream.ts'
import type { Scenario } from '#test/simulators/scenario.ts'
import { costTextOf, type MoneyWorld, startMoneyWorld, usageOf } from './money-world.ts'

let world: MoneyWorld

beforeAll(async () => {
  world = await startMoneyWorld()
  await world.addProvider({
    vendor: 'openrouter',
    url: `${world.upstream.url}/v1`,
    pattern: 'anthropic/claude-sonnet-4.6',
  })
})
afterAll(() => world.close())
beforeEach(() => world.upstream.forget())

async function usageAfter(scenario: Scenario, body: JsonObject = {}): Promise<JsonObject> {
  world.upstream.play(scenario)
  return usageOf(await world.call(await world.createClient(), body))
}

const counts = { prompt: 1_000, completion: 40, cached: 300, reasoning: 10 }
const answer = { kind: 'text', pieces: ['Hel', 'lo'], usage: counts } as const
const bothForms: Scenario = {
  kind: 'by-request',
  stream: vendorStream('openai', answer),
  json: vendorCompletion('openai', answer),
}

describe.each([false, true])('the usage of an answer, stream: %s', (stream) => {
  it('[USAGE-01] has prompt, completion and their total', async () => {
    const usage = await usageAfter({ kind: 'echo' }, { stream })
    expect(usage).toMatchObject({ prompt_tokens: 6, completion_tokens: 4, total_tokens: 10 })
  })

  it('[USAGE-04] always has cached and reasoning tokens, also when there are none', async () => {
    const usage = await usageAfter(
      { kind: 'by-request', stream: vendorStream('mistral', plain), json: vendorCompletion('mistral', plain) },
      { stream },
    )
    expect(objectAt(usage, 'prompt_tokens_details')).toEqual({ cached_tokens: 0 })
    expect(objectAt(usage, 'completion_tokens_details')).toEqual({ reasoning_tokens: 0 })
  })

  it('[USAGE-05] has the other details only when they are known, and never null', async () => {
    const details = { cached_tokens: 2, cache_write_tokens: 3, audio_tokens: null }
    const reported = {
      prompt_tokens: 50,
      completion_tokens: 9,
      total_tokens: 59,
      prompt_tokens_details: details,
      completion_tokens_details: { reasoning_tokens: null, image_tokens: 4, audio_tokens: 0 },
    }
    const usage = await usageAfter(completionWith(reported, stream), { stream })
    expect(objectAt(usage, 'prompt_tokens_details')).toEqual({ cached_tokens: 2, cache_write_tokens: 3 })
    expect(objectAt(usage, 'completion_tokens_details')).toEqual({ reasoning_tokens: 0, image_tokens: 4 })
    expect(JSON.stringify(usage)).not.toContain('null')
  })

  it("[USAGE-08] shows the prefix-cache hits of OpenAI's family without any marker of the caller", async () => {
    const usage = await usageAfter(bothForms, { stream })
    expect(objectAt(usage, 'prompt_tokens_details').cached_tokens).toBe(300)
  })

  it('[USAGE-11] [USAGE-12] charges cached tokens once, at the cache price, and shows the saving', async () => {
    const caller = await world.createClient()
    world.upstream.play(bothForms)
    const reply = await world.call(caller, { stream })
    // 700 at 0.0000015, 300 at 0.00000015, 40 at 0.000012.
    expect(costTextOf(reply)).toBe('0.001575')
    const shown = await world.get(caller, `/v1/generation?id=${reply.headers.get('x-generation-id')}`)
    expect(shown.cost_breakdown).toEqual({ subtotal: 0.00198, cache_discount: 0.000405, total: 0.001575 })
  })

  it('[USAGE-13] reports reasoning tokens and charges them once, at the completion price', async () => {
    const caller = await world.createClient()
    const thinking = {
      kind: 'reasoning',
      thinking: ['Hm'],
      pieces: ['Hi'],
      usage: { prompt: 0, completion: 100, reasoning: 60 },
    } as const
    world.upstream.play({
      kind: 'by-request',
      stream: vendorStream('openai', thinking),
      json: vendorCompletion('openai', thinking),
    })
    const reply = await world.call(caller, { stream })
    expect(objectAt(usageOf(reply), 'completion_tokens_details').reasoning_tokens).toBe(60)
    expect(usageOf(reply).completion_tokens).toBe(100)
    expect(costTextOf(reply)).toBe('0.0012')
  })
})

const plain = { kind: 'text', pieces: ['Hi'], usage: { prompt: 5, completion: 1 } } as const

describe('[USAGE-06] [P7] usage in a stream', () => {
  const counted = { ...answer, usage: { prompt: 1_000, completion: 40 } } as const

  // Prompt tokens cost 0.0000015, output tokens 0.000012.
  it.each<[string, Scenario, [number, number], string]>([
    ['on the finish chunk', vendorStream('moonshot', counted), [1_000, 40], '0.00198'],
    ['on a later chunk without choices', vendorStream('openai', counted), [1_000, 40], '0.00198'],
    ['on a later chunk with a choice', vendorStream('openrouter', counted), [1_000, 40], '0.00198'],
    [
      'growing on every chunk, of which the last counts',
      faults.cumulativeUsage({ usage: { prompt: 1_000, completion: 40 } }),
      [1_000, 40],
      '0.00198',
    ],
    ['twice, which counts once', faults.repeatedUsage(), [16, 3], '0.00006'],
  ])('%s is reported and charged', async (_where, scenario, [prompt, completion], cost) => {
    const caller = await world.createClient()
    world.upstream.play(scenario)
    const reply = await world.call(caller, { stream: true })
    expect(usageOf(reply)).toMatchObject({ prompt_tokens: prompt, completion_tokens: completion })
    expect(costTextOf(reply)).toBe(cost)
    expect((await world.walletOf(caller.walletId)).charged).toBe(cost)
  })
})

describe('[USAGE-09] a cache marker', () => {
  const marked = { type: 'text', text: 'A long document.', cache_control: { type: 'ephemeral' } }
  const model = 'anthropic/claude-sonnet-4.6'

  it('reaches Claude on the same block, unchanged', async () => {
    const messages = [
      { role: 'system', content: [marked] },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Hi' },
          { ...marked, cache_control: { type: 'ephemeral', ttl: '1h' } },
        ],
      },
    ]
    await usageAfter({ kind: 'echo' }, { model, messages })
    expect(sentBody().messages).toEqual(messages)
  })

  it('is never added', async () => {
    await usageAfter({ kind: 'echo' }, { model })
    expect(JSON.stringify(sentBody())).not.toContain('cache_control')
  })
})

function sentBody(): JsonObject {
  const body: unknown = world.upstream.requests.at(-1)?.body
  if (!isJsonObject(body)) throw new Error('no request')
  return body
}

function completionWith(usage: JsonObject, stream: boolean): Scenario {
  if (!stream) {
    const choices = [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }]
    return jsonAnswer(200, {
      id: 'x',
      object: 'chat.completion',
      created: 1,
      model: 'm',
      choices,
      usage: plainJson(usage),
    })
  }
  const head = { id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm' }
  const frames = [
    { ...head, choices: [{ index: 0, delta: { role: 'assistant', content: 'Hi' }, finish_reason: null }] },
    { ...head, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage },
  ]
  const text = `${frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join('')}data: [DONE]\n\n`
  return {
    kind: 'steps',
    steps: [
      { do: 'head', status: 200, headers: { 'content-type': 'text/event-stream' } },
      { do: 'write', text },
      { do: 'end' },
    ],
  }
}

// The simulators do not support undefined members.
function plainJson(value: JsonObject): Parameters<typeof jsonAnswer>[1] {
  return JSON.parse(JSON.stringify(value))
}
