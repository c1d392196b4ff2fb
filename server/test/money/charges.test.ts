import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import type { UsageNumbers } from '#test/simulators/scenarios/answer.ts'
import { faults } from '#test/simulators/scenarios/faults.ts'
import { jsonAnswer } from '#test/simulators/scenarios/json-answer.ts'
import { vendorCompletion } from '#test/simulators/scenarios/vendor-completion.ts'
import { vendorStream } from '#test/simulators/scenarios/vendor-stream.ts'
import type { Scenario } from '#test/simulators/scenario.ts'
import { type Simulator, startSimulator } from '#test/simulators/start-simulator.ts'
import { publicGenerationId } from '#domain/ledger/generation-id.ts'
import { importModels } from './import-models.ts'
import { costTextOf, minus, type MoneyWorld, startMoneyWorld, usageOf } from './money-world.ts'

let world: MoneyWorld
let other: Simulator

beforeAll(async () => {
  world = await startMoneyWorld()
  other = await startSimulator()
  const pattern = 'openai/gpt-oss-20b'
  await world.addProvider({ vendor: 'groq', url: `${world.upstream.url}/v1`, pattern, priority: 0 })
  await world.addProvider({ vendor: 'together', url: `${other.url}/v1`, pattern, priority: 1 })
  await world.addProvider({ vendor: 'openrouter', url: `${other.url}/v1`, pattern: 'openai/gpt-4o-mini' })
})
afterAll(async () => {
  await other.close()
  await world.close()
})

function counting(usage: UsageNumbers): Scenario {
  const answer = { kind: 'text', pieces: ['Hello', ' world'], usage } as const
  return { kind: 'by-request', stream: vendorStream('openai', answer), json: vendorCompletion('openai', answer) }
}

async function costOf(usage: UsageNumbers, body: JsonObject = {}): Promise<string> {
  const caller = await world.createClient({ usd: '1000' })
  world.upstream.play(counting(usage))
  const reply = await world.call(caller, body)
  expect(reply.status).toBe(200)
  const cost = costTextOf(reply)
  expect(await world.walletOf(caller.walletId)).toEqual({ balance: minus('1000', cost), held: '0', charged: cost })
  return cost
}

describe('a charge', () => {
  it.each([false, true])('[MONEY-01] is the list price times the reported tokens, stream: %s', async (stream) => {
    // 1,000 at 0.0000015 and 500 at 0.000012.
    expect(await costOf({ prompt: 1_000, completion: 500 }, { stream })).toBe('0.0075')
  })

  it('[MONEY-01] [MONEY-11] [LIMIT-05] is that of the provider that answered; failed attempts add nothing', async () => {
    const caller = await world.createClient()
    world.upstream.play(faults.serverError(500))
    const usage = { prompt: 1_000, completion: 100 }
    other.play(vendorCompletion('together', { kind: 'text', pieces: ['Hi'], usage }))
    const reply = await world.call(caller, { model: 'openai/gpt-oss-20b', max_tokens: 200 })
    expect(reply.status).toBe(200)
    // Together's prices are 0.00000006 and 0.00000022; the failed provider is more expensive.
    expect(costTextOf(reply)).toBe('0.000082')
    expect(reply.headers.get('x-ratelimit-remaining')).toBe('99999')
    const record = await world.lastRecord(caller)
    expect(record).toMatchObject({ provider: 'together', is_failover: true })
    expect(record.attempts.map(({ outcome }) => outcome)).toEqual(['upstreamUnavailable', 'answered'])
    await world.expectSoundBooks()
  })

  it('[MONEY-11] a stream that comes all at once after a failover is recorded as one', async () => {
    const caller = await world.createClient()
    world.upstream.play(faults.serverError(500))
    const usage = { prompt: 1_000, completion: 100 }
    other.play({ ...vendorStream('together', { kind: 'text', pieces: ['Hi'], usage }), wire: { split: { at: [] } } })
    const reply = await world.call(caller, { model: 'openai/gpt-oss-20b', max_tokens: 200, stream: true })
    expect(costTextOf(reply)).toBe('0.000082')
    const record = await world.lastRecord(caller)
    expect(record.attempts.map(({ outcome }) => outcome)).toEqual(['upstreamUnavailable', 'answered'])
    expect(record.is_failover).toBe(true)
  })

  it.each([
    [200_000, 'the lower tier', '0.44013'],
    [200_001, 'the higher tier for every token', '0.8801994'],
  ])('[MONEY-02] [MONEY-03] of %i prompt tokens has the prices of %s', async (prompt, _tier, cost) => {
    // 10 completion tokens at 0.000013, or at 0.0000195 above 200,000.
    expect(await costOf({ prompt, completion: 10 }, { model: 'google/gemini-3-pro' })).toBe(cost)
  })

  it('[MONEY-04] is rounded up once, to the next billionth', async () => {
    await importPrices({ prompt: '0.0000000003', completion: '0.0000000004' })
    // 0.3 + 0.4 nano-dollars are one, not two: rounding each class up would give two.
    expect(await costOf({ prompt: 1, completion: 1 }, { model: 'acme/odd' })).toBe('0.000000001')
    // 2.1 + 0.4 = 2.5.
    expect(await costOf({ prompt: 7, completion: 1 }, { model: 'acme/odd' })).toBe('0.000000003')
  })

  it('[USAGE-03] is a plain decimal with at most nine decimals, however small', async () => {
    const cost = await costOf({ prompt: 1, completion: 1 }, { model: 'acme/odd' })
    expect(cost).toMatch(/^\d+\.\d{1,9}$/)
  })

  it('[P10] keeps the version of the price it used, and the receipt can be recomputed after a change', async () => {
    const caller = await world.createClient()
    world.upstream.play(counting({ prompt: 1_000, completion: 1_000 }))
    const before = await world.call(caller, { model: 'acme/odd' })
    await importPrices({ prompt: '0.000001', completion: '0.000002' })
    const after = await world.call(caller, { model: 'acme/odd' })
    expect([costTextOf(before), costTextOf(after)]).toEqual(['0.0000007', '0.003'])
    for (const reply of [before, after]) {
      const id = reply.headers.get('x-generation-id')
      const { receipt, total_cost: total } = await world.get(caller, `/v1/generation?id=${id}`)
      expect(receipt).toMatchObject({ price_id: expect.any(String), total })
      expect(total).toBe(Number(costTextOf(reply)))
    }
  })

  it('[P10] of a model without a price is refused, not nothing', async () => {
    const caller = await world.createClient()
    world.upstream.forget()
    const reply = await world.call(caller, { model: 'meta-llama/llama-guard-4-12b' })
    expect(reply.json).toMatchObject({ error: { code: 'model_not_priced' } })
    expect(world.upstream.requests).toHaveLength(0)
  })
})

describe('commit, then reveal', () => {
  it.each([false, true])(
    '[MONEY-08] [ACCT-12] who has read the cost finds it everywhere, stream: %s',
    async (stream) => {
      const caller = await world.createClient()
      world.upstream.play(counting({ prompt: 100, completion: 10 }))
      const before = await world.get(caller, '/v1/credits')
      const reply = await world.call(caller, { stream })
      const [credits, generation] = await Promise.all([
        world.get(caller, '/v1/credits'),
        world.get(caller, `/v1/generation?id=${reply.headers.get('x-generation-id')}`),
      ])
      expect(generation.total_cost).toBe(Number(costTextOf(reply)))
      expect(Number(credits.total_usage) - Number(before.total_usage)).toBeCloseTo(Number(costTextOf(reply)), 12)
      expect(credits.total_usage).toBe(usageOf(reply).cost)
    },
  )

  it('[ACCT-12] total_usage does not grow after a refunded call', async () => {
    const caller = await world.createClient()
    world.upstream.play(faults.truncatedStream())
    await world.call(caller, { stream: true })
    expect(await world.get(caller, '/v1/credits')).toMatchObject({ total_credits: 25, total_usage: 0 })
  })

  it('[USAGE-02] the upstream does not decide the cost: its own figure is replaced', async () => {
    const caller = await world.createClient()
    const usage = { prompt: 1_000, completion: 1_000 }
    other.play({
      kind: 'by-request',
      stream: vendorStream('openrouter', { kind: 'text', pieces: ['Hi'], usage }),
      json: vendorCompletion('openrouter', { kind: 'text', pieces: ['Hi'], usage }),
    })
    for (const stream of [true, false]) {
      const reply = await world.call(caller, { model: 'openai/gpt-4o-mini', stream })
      expect(costTextOf(reply)).toBe('0.0008')
      expect(reply.text.match(/"cost"/g)).toHaveLength(1)
      expect(reply.text).not.toContain('upstream_inference_cost')
    }
  })
})

describe('a cost above the hold', () => {
  it('[MONEY-10] [I8] is charged as far as there is credit; the rest is absorbed, and later calls are refused', async () => {
    const caller = await world.createClient({ usd: '0.01' })
    world.upstream.play(counting({ prompt: 10_720, completion: 10 }))
    const reply = await world.call(caller, { max_tokens: 10 })
    // 10,720 at 0.0000015 and 10 at 0.000012 would be 0.0162.
    expect(costTextOf(reply)).toBe('0.01')
    expect(await world.walletOf(caller.walletId)).toMatchObject({ balance: '0', held: '0' })
    const { id } = await world.lastRecord(caller)
    const shown = await world.get(caller, `/v1/generation?id=${publicGenerationId(id)}`)
    expect(shown).toMatchObject({ total_cost: 0.01, absorbed: 0.0062, receipt: { total: 0.0162 } })
    world.upstream.forget()
    expect((await world.call(caller, { max_tokens: 1 })).status).toBe(402)
    expect(world.upstream.requests).toHaveLength(0)
    await world.credit(caller.walletId, '1')
    expect((await world.call(caller, { max_tokens: 1 })).status).toBe(200)
    await world.expectSoundBooks()
  })

  it.each([
    { prompt: 4_294_967_296, completion: 10 },
    { prompt: 10, completion: 100 },
  ])(
    '[B7] is not believed beyond cap or context ($prompt and $completion): at most the hold is charged, and the receipt says so',
    async (counts) => {
      const caller = await world.createClient({ usd: '343' })
      world.upstream.play(counting(counts))
      const reply = await world.call(caller, { max_tokens: 10 })
      // Ten prompt tokens at 0.0000015 and ten output tokens at 0.000012.
      expect(costTextOf(reply)).toBe('0.000135')
      const { id } = await world.lastRecord(caller)
      const shown = await world.get(caller, `/v1/generation?id=${publicGenerationId(id)}`)
      expect(shown).toMatchObject({ total_cost: 0.000135, usage_doubted: true, tokens_completion: counts.completion })
      expect(await world.readMetrics()).toMatch(
        /weir_usage_implausible_total\{provider="openai",account="[^"]+"\} [1-9]/,
      )
      await world.expectSoundBooks()
    },
  )
})

describe('C3: an upstream that ignores its cap', () => {
  const words = 'word '.repeat(2_000)
  const choices = [{ index: 0, message: { role: 'assistant', content: words }, finish_reason: 'stop' }]
  const usage = { prompt_tokens: 10, completion_tokens: 2_000, total_tokens: 2_010 }
  const long = jsonAnswer(200, { id: 'x', object: 'chat.completion', model: 'm', choices, usage })

  it.each([
    // 2,000 output tokens at 0.000012 and ten prompt tokens at 0.0000015.
    { usd: '343', cost: '0.024015', absorbed: undefined },
    { usd: '0.01', cost: '0.01', absorbed: 0.014015 },
  ])('is paid for what it delivered, as far as $usd USD reach', async ({ usd, cost, absorbed }) => {
    const caller = await world.createClient({ usd })
    world.upstream.play(long)
    expect(costTextOf(await world.call(caller, { max_tokens: 1 }))).toBe(cost)
    const { id } = await world.lastRecord(caller)
    const shown = await world.get(caller, `/v1/generation?id=${publicGenerationId(id)}`)
    expect(shown).toMatchObject({ usage_doubted: true, total_cost: Number(cost) })
    expect(shown.absorbed).toBe(absorbed)
    await world.expectSoundBooks()
  })
})

async function importPrices(pricing: Record<string, string>): Promise<void> {
  await importModels(world.pool, [{ id: 'acme/odd', provider: 'openai', pricing }])
  await world.gateway.refresh()
}
