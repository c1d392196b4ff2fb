import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { UsageClasses } from '#domain/inference/usage.ts'
import { publicGenerationId } from '#domain/ledger/generation-id.ts'
import { chargeFor } from '#domain/money/charge.ts'
import { parseUsd } from '#domain/money/nano-usd.ts'
import { parseUnitPrices } from '#domain/money/price-list.ts'
import { errorBody, GatewayError } from '#errors/gateway-error.ts'
import { newUuid } from '#lib/uuid.ts'
import { sweepHolds } from '#store/postgres/money/sweep-holds.sql.ts'
import { type AccountWorld, createAccountWorld } from './account-world.ts'

const usage: UsageClasses = {
  uncachedInput: 1_001,
  cacheRead: 500,
  cacheWrite5m: 10,
  cacheWrite1h: 0,
  audioInput: 0,
  textOutput: 200,
  reasoningOutput: 40,
  imageOutput: 0,
  audioOutput: 0,
}
const units = { prompt: '0.00000125', completion: '0.00001', cache_read: '0.000000125' }
const tierUnits = { prompt: '0.0000025', completion: '0.000015' }
const priceId = newUuid(Date.now())
const price = {
  id: priceId,
  base: parseUnitPrices(units),
  tiers: [{ abovePromptTokens: 200_000, prices: parseUnitPrices(tierUnits) }],
}

describe('GET /v1/generation', () => {
  let world: AccountWorld
  beforeAll(async () => {
    world = await createAccountWorld()
    await world.database.pool.query(
      `INSERT INTO prices (id, model_id, provider, units, tiers, valid_from) VALUES ($1, 'acme/model-1', 'acme', $2, $3, '2026-11-01')`,
      [priceId, units, JSON.stringify([{ abovePromptTokens: 200_000, units: tierUnits }])],
    )
  })
  afterAll(() => world.database.drop())

  async function settled(change: Parameters<AccountWorld['settle']>[1] = {}) {
    const caller = await world.newCaller('10')
    const charge = chargeFor(change.usage ?? usage, price)
    const { cost, cacheDiscount } = charge
    const record = await world.settle(caller, { usage, cost, cacheDiscount, priceId, ...change })
    const query = { id: publicGenerationId(record.id) }
    return { caller, record, query, data: await world.get('/v1/generation', caller, { query }) }
  }

  it('[GEN-01] shows id, model, provider, moment, app and finish reason of a finished call', async () => {
    const startedAtMs = Date.now()
    const { data, record } = await settled({ appName: 'Notebook', startedAtMs })
    expect(data).toMatchObject({
      id: `gen-${record.id.replaceAll('-', '')}`,
      model: 'acme/model-1',
      provider: 'acme',
      created_at: new Date(startedAtMs).toISOString(),
      app_name: 'Notebook',
      finish_reason: 'stop',
    })
  })

  it('[GEN-02] answers 400 without an id', async () => {
    const caller = await world.newCaller('1')
    for (const query of [{}, { id: '' }]) {
      const error = await world.get('/v1/generation', caller, { query }).catch((thrown: unknown) => thrown)
      expect(error).toMatchObject({ row: { status: 400 } })
    }
  })

  it('[GEN-03] answers 404 alike for what never was and for what is of another account', async () => {
    const { query } = await settled()
    const stranger = await world.newCaller('1')
    const never = { id: publicGenerationId(newUuid(Date.now())) }
    const bodies = []
    for (const asked of [query, never, { id: 'chatcmpl-123' }, { id: "gen-' OR 1=1" }]) {
      const error = await world.get('/v1/generation', stranger, { query: asked }).catch((thrown: unknown) => thrown)
      if (!(error instanceof GatewayError)) throw new Error('it was found')
      expect(error.row.status).toBe(404)
      bodies.push(errorBody(error))
    }
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1)
  })

  it('[GEN-04] shows status, duration, first token and throughput as numbers that fit the call', async () => {
    const streamed = await settled({ streamed: true, firstTokenMs: 250, durationMs: 2_000 })
    expect(streamed.data).toMatchObject({ status: 200, duration_ms: 2_000, first_token_ms: 250, throughput: 120 })
    const whole = await settled({ firstTokenMs: null, durationMs: 500 })
    expect(whole.data).toMatchObject({ status: 200, duration_ms: 500, first_token_ms: 500, throughput: 480 })
    const instant = await settled({ durationMs: 0 })
    expect(instant.data['throughput']).toBe(0)
  })

  it('[GEN-05] [GEN-06] repeats usage and cost, and breaks the cost down', async () => {
    const { data } = await settled()
    // 1,011 × 0.00000125 + 500 × 0.000000125 + 240 × 0.00001
    const cost = 0.00372625
    expect(data['usage']).toEqual({
      prompt_tokens: 1_511,
      completion_tokens: 240,
      total_tokens: 1_751,
      cost,
      prompt_tokens_details: { cached_tokens: 500, cache_write_tokens: 10 },
      completion_tokens_details: { reasoning_tokens: 40 },
    })
    expect(data['cost_breakdown']).toEqual({ subtotal: 0.00428875, cache_discount: 0.0005625, total: cost })
  })

  it('[GEN-07] has the fields that clients of similar services read', async () => {
    const { data } = await settled({
      streamed: true,
      firstTokenMs: 100,
      durationMs: 1_100,
      nativeFinishReason: 'end_turn',
    })
    expect(data).toMatchObject({
      total_cost: 0.00372625,
      provider_name: 'acme',
      native_finish_reason: 'end_turn',
      tokens_prompt: 1_511,
      tokens_completion: 240,
      native_tokens_prompt: 1_511,
      native_tokens_completion: 240,
      native_tokens_reasoning: 40,
      native_tokens_cached: 500,
      latency: 1_100,
      generation_time: 1_000,
      streamed: true,
      cancelled: false,
      is_byok: false,
      cache_discount: 0.0005625,
      refund_reason: null,
    })
  })

  it('[GEN-07] [P10] has a receipt that adds up to the cost, from the price version of the charge', async () => {
    const { data } = await settled()
    expect(data['receipt']).toEqual({
      price_id: priceId,
      price_valid_from: '2026-11-01T00:00:00.000Z',
      lines: [
        { item: 'uncachedInput', count: 1_001, unit_price_usd: '0.00000125' },
        { item: 'cacheRead', count: 500, unit_price_usd: '0.000000125' },
        { item: 'cacheWrite5m', count: 10, unit_price_usd: '0.00000125' },
        { item: 'textOutput', count: 200, unit_price_usd: '0.00001' },
        { item: 'reasoningOutput', count: 40, unit_price_usd: '0.00001' },
      ],
      total: 0.00372625,
    })
    const long = await settled({ usage: { ...usage, uncachedInput: 200_001, cacheRead: 0 } })
    expect(long.data['receipt']).toMatchObject({ lines: [{ unit_price_usd: '0.0000025' }, {}, {}, {}] })
  })

  it('writes tiny amounts as plain decimals', async () => {
    const caller = await world.newCaller('1')
    const { id } = await world.settle(caller, { cost: parseUsd('0.000000007') })
    const text = await world.getText('/v1/generation', caller, { query: { id: publicGenerationId(id) } })
    expect(text).toContain('"total_cost":0.000000007,')
  })

  it('[GEN-08] shows cost 0 and the reason of a refunded call', async () => {
    const { data } = await settled({
      cost: parseUsd('0'),
      cacheDiscount: parseUsd('0'),
      refundReason: 'client_cancelled',
    })
    expect(data).toMatchObject({
      usage: { cost: 0 },
      total_cost: 0,
      cost_breakdown: { subtotal: 0, cache_discount: 0, total: 0 },
      refund_reason: 'client_cancelled',
      receipt: null,
    })
  })

  it('[GEN-08] [P3] shows a call whose process died as refunded, once its hold has lapsed', async () => {
    const caller = await world.newCaller('5')
    const id = await world.hold(caller, '1', Date.now())
    await world.database.pool.query(`UPDATE holds SET lease_until = now() - interval '1 second' WHERE id = $1`, [id])
    expect(await sweepHolds(world.database.pool, 100)).toBe(1)
    const query = { id: publicGenerationId(id) }
    expect(await world.get('/v1/generation', caller, { query })).toMatchObject({
      id: query.id,
      model: null,
      total_cost: 0,
      usage: { cost: 0, total_tokens: 0 },
      refund_reason: 'lease_lapsed',
    })
    // Settled late after all: the record wins.
    await world.settle(caller, { id, cost: parseUsd('0.25') })
    expect(await world.get('/v1/generation', caller, { query })).toMatchObject({
      total_cost: 0.25,
      refund_reason: null,
    })
  })
})
