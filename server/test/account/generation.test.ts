import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseUsd } from '#domain/money/nano-usd.ts'
import { settleGenerations } from '#store/postgres/money/settle-generations.sql.ts'
import { importModels } from '#test/money/import-models.ts'
import { lapseHold } from '#test/money/lapse-hold.ts'
import { type MoneyWorld, startMoneyWorld } from '#test/money/money-world.ts'
import { settleEntry } from '#test/money/settles.ts'
import type { Reply } from '#test/setup/reply.ts'
import type { UsageNumbers } from '#test/simulators/scenarios/answer.ts'
import { vendorCompletion } from '#test/simulators/scenarios/vendor-completion.ts'

const pricing = { prompt: '0.00000125', completion: '0.00001', cache_read: '0.000000125' }
const tiers = [{ above_prompt_tokens: 200_000, prompt: '0.0000025', completion: '0.000015' }]
const usage: UsageNumbers = { prompt: 1_501, cached: 500, completion: 240, reasoning: 40 }

// The oracle's records.test.ts compares the stored records of every kind with the views of the client and the upstream.
describe('GET /v1/generation', () => {
  let world: MoneyWorld
  const importedAtMs = Date.now()
  beforeAll(async () => {
    world = await startMoneyWorld()
    await importModels(world.pool, [
      { id: 'acme/tiered', provider: 'openai', pricing, tiers },
      { id: 'acme/tiny', provider: 'openai', pricing: { prompt: '0', completion: '0.000000007' } },
    ])
    await world.gateway.refresh()
  })
  afterAll(() => world.close())

  /** Sends a request with this usage and returns its record. */
  async function asked(counted: UsageNumbers, model = 'acme/tiered'): Promise<{ answer: Reply; about: Reply }> {
    const caller = await world.createClient()
    world.upstream.play(vendorCompletion('openai', { kind: 'text', pieces: ['Hi'], usage: counted }))
    const answer = await world.call(caller, { model, max_tokens: 1_000 })
    expect(answer.status, answer.text).toBe(200)
    return { answer, about: await world.as(caller).get(`/v1/generation?id=${String(answer.json.id)}`) }
  }

  it('[GEN-05] [GEN-06] repeats usage and cost, and breaks the cost down', async () => {
    const { answer, about } = await asked(usage)
    // 1,001 × 0.00000125 + 500 × 0.000000125 + 240 × 0.00001
    const cost = 0.00371375
    expect(about.data['usage']).toEqual(answer.json.usage)
    expect(about.data['usage']).toEqual({
      prompt_tokens: 1_501,
      completion_tokens: 240,
      total_tokens: 1_741,
      cost,
      prompt_tokens_details: { cached_tokens: 500 },
      completion_tokens_details: { reasoning_tokens: 40 },
    })
    expect(about.data['cost_breakdown']).toEqual({ subtotal: 0.00427625, cache_discount: 0.0005625, total: cost })
  })

  it('[GEN-07] [P10] has a receipt that adds up to the cost, from the price version of the charge', async () => {
    const { data } = (await asked(usage)).about
    expect(data['receipt']).toEqual({
      price_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      price_valid_from: expect.any(String),
      lines: [
        { item: 'uncachedInput', count: 1_001, unit_price_usd: '0.00000125' },
        { item: 'cacheRead', count: 500, unit_price_usd: '0.000000125' },
        { item: 'textOutput', count: 200, unit_price_usd: '0.00001' },
        { item: 'reasoningOutput', count: 40, unit_price_usd: '0.00001' },
      ],
      total: 0.00371375,
    })
    const { price_valid_from: since } = Object(data['receipt'])
    expect(Date.parse(since)).toBeGreaterThanOrEqual(importedAtMs)
    expect(Date.parse(since)).toBeLessThanOrEqual(Date.parse(String(data['created_at'])))
    const long = await asked({ prompt: 200_001, completion: 1 })
    expect(long.about.data['receipt']).toMatchObject({
      lines: [{ unit_price_usd: '0.0000025' }, { unit_price_usd: '0.000015' }],
    })
  })

  it('writes tiny amounts as plain decimals', async () => {
    const { about } = await asked({ prompt: 1, completion: 1 }, 'acme/tiny')
    expect(about.text).toContain('"total_cost":0.000000007,')
  })

  it('[GEN-08] [P3] shows a call that was taken for dead as charged, once it is settled late after all', async () => {
    const caller = await world.createClient()
    const { id, generationId } = await lapseHold(world.pool, caller, '1')
    const path = `/v1/generation?id=${generationId}`
    expect(await world.get(caller, path)).toMatchObject({ model: null, total_cost: 0, refund_reason: 'lease_lapsed' })
    await settleGenerations(world.pool, [settleEntry({ ...caller, id }, parseUsd('0.25'))])
    expect(await world.get(caller, path)).toMatchObject({ total_cost: 0.25, refund_reason: null })
  })
})
