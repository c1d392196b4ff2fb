import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import { type KeyWorld, startKeyWorld } from '#test/keys/key-world.ts'
import { hello } from '#test/setup/call-chat.ts'
import type { Reply } from '#test/setup/reply.ts'
import { vendorCompletion } from '#test/simulators/scenarios/vendor-completion.ts'
import { parseUsd } from '#domain/money/nano-usd.ts'

let world: KeyWorld
beforeAll(async () => {
  world = await startKeyWorld()
})
afterAll(() => world.close())

const chat: JsonObject = { model: 'openai/gpt-5.2', messages: hello, max_tokens: 500 }

function quote(as: { key: string }, body: JsonObject, path = '', headers: Record<string, string> = {}): Promise<Reply> {
  return world.as(as).post(`/v1/quote${path}`, body, { headers })
}

const candidatesOf = ({ json }: Reply): JsonObject[] =>
  (Array.isArray(json.candidates) ? json.candidates : []).filter(isJsonObject)

// The night quotes 5,000.
const calls = Number(process.env['WEIR_TEST_QUOTES'] ?? 60)

describe('a quote', () => {
  it('[NEXT-93] says what each provider would charge, and calls none of them', async () => {
    const owner = await world.createClient({ usd: '25' })
    const asked = world.upstream.requests.length
    const reply = await quote(owner, chat)
    expect(reply.status, reply.text).toBe(200)
    expect(reply.json).toMatchObject({
      object: 'quote',
      endpoint: '/v1/chat/completions',
      excluded: [],
      auto_tier: null,
      hold: 0.006015,
      allowed: true,
      based_on_requests: 0,
    })
    expect(candidatesOf(reply)[0]).toMatchObject({ model: 'openai/gpt-5.2', provider: 'openai', billing: 'charged' })
    expect(candidatesOf(reply)[0]?.['likely']).toBeNull()
    expect(world.upstream.requests).toHaveLength(asked)
    expect(await world.walletOf(owner.walletId)).toMatchObject({ held: '0', charged: '0' })
    const { rows } = await world.pool.query('SELECT id FROM generations WHERE wallet_id = $1', [owner.walletId])
    expect(rows).toEqual([])
  })

  it('[NEXT-93] is for the endpoint that fits the body, or the one that is named', async () => {
    const owner = await world.createClient({ usd: '25' })
    const endpointOf = async (body: JsonObject, path = '') => (await quote(owner, body, path)).json['endpoint']
    expect(await endpointOf({ model: 'openai/gpt-5.2', input: 'Hi' })).toBe('/v1/responses')
    expect(await endpointOf({ model: 'test/speech', input: 'Hi', voice: 'tone' })).toBe('/v1/audio/speech')
    expect(await endpointOf({ model: 'test/embedding', input: 'Hi' })).toBe('/v1/embeddings')
    expect(await endpointOf({ model: 'test/rerank', query: 'Hi', documents: ['Hi'] })).toBe('/v1/rerank')
    expect(await endpointOf(chat, '?endpoint=/v1/messages')).toBe('/v1/messages')
    const unknown = await quote(owner, chat, '?endpoint=/v1/nowhere')
    expect([unknown.status, unknown.text]).toEqual([400, expect.stringContaining('/v1/chat/completions, ')])
  })

  it('[NEXT-93] is refused as the request would be', async () => {
    const owner = await world.createClient({ usd: '25' })
    expect((await quote(owner, { ...chat, model: 'openai/none' })).json['error']).toMatchObject({
      code: 'unknown_model',
    })
    expect((await quote(owner, { ...chat, max_tokens: 0 })).status).toBe(400)
    expect((await quote(owner, { ...chat, max_cost_usd: 0.000001 })).json['error']).toMatchObject({
      code: 'max_cost_too_low',
    })
    const bounded = await quote(owner, chat, '', { 'x-weir-max-cost': '0.003' })
    expect(bounded.json['hold']).toBe(0.002991)
  })

  it('[NEXT-95] names every limit, and which would reject the request', async () => {
    const limit = parseUsd('0.006015')
    const owner = await world.createClient({ usd: '25', terms: { limit, period: null } })
    const before = await quote(owner, chat)
    expect(before.json).toMatchObject({
      allowed: true,
      limits: [
        { scope: 'wallet', left: 25, binds: false },
        { scope: 'key', window: 'life', limit: 0.006015, taken: 0, binds: false },
      ],
    })
    expect(await world.spend(owner)).toBe(200)
    const after = await quote(owner, chat)
    expect(after.json).toMatchObject({
      allowed: false,
      limits: [
        { scope: 'wallet', binds: false },
        { scope: 'key', taken: 0.006, left: 0.000015, binds: true },
      ],
    })
    expect(await world.spend(owner)).toBe(402)
    const poor = await world.createClient({ usd: '0' })
    expect((await quote(poor, chat)).json).toMatchObject({ allowed: false, limits: [{ scope: 'wallet', binds: true }] })
  })

  it('[NEXT-95] counts the limits of the customer that it names, and creates none', async () => {
    const owner = await world.createClient({ usd: '25' })
    const { key: manager } = await world.addKey(owner.userId, { type: 'management' })
    await world.send({ key: manager }, 'POST', '/v1/customers', { id: 'acme', daily_limit: 0.006 })
    const named = await quote(owner, chat, '', { 'x-weir-customer': 'acme' })
    expect(named.json).toMatchObject({
      allowed: false,
      limits: [
        { scope: 'wallet', binds: false },
        { scope: 'customer', window: 'day', limit: 0.006, binds: true },
      ],
    })
    expect((await quote(owner, { ...chat, metadata: { customer_id: 'nobody' } })).json).toMatchObject({ allowed: true })
    expect((await world.send({ key: manager }, 'GET', '/v1/customers/nobody')).status).toBe(404)
    await world.send({ key: manager }, 'PATCH', '/v1/customers/acme', { suspended: true })
    expect((await quote(owner, chat, '', { 'x-weir-customer': 'acme' })).status).toBe(403)
  })

  it('[NEXT-95] [NEXT-25] counts the default limits of a customer that the request would create', async () => {
    const owner = await world.createClient({ usd: '25' })
    const { key: manager } = await world.addKey(owner.userId, { type: 'management' })
    const defaults = { daily_limit: 0.006, monthly_limit: 7 }
    expect((await world.send({ key: manager }, 'PATCH', '/v1/customer-settings', defaults)).status).toBe(200)
    const named = await quote(owner, chat, '', { 'x-weir-customer': 'new' })
    expect(named.json).toMatchObject({
      allowed: false,
      limits: [
        { scope: 'wallet', binds: false },
        { scope: 'customer', window: 'day', limit: 0.006, taken: 0, binds: true },
        { scope: 'customer', window: 'month', limit: 7, taken: 0, binds: false },
      ],
    })
    expect((await world.send({ key: manager }, 'GET', '/v1/customers/new')).status).toBe(404)
    const refused = await world.as(owner).post('/v1/chat/completions', chat, { headers: { 'x-weir-customer': 'new' } })
    expect([refused.status, refused.error]).toMatchObject([402, { code: 'customer_limit_reached' }])
  })

  it('[NEXT-95] shows a key of an organization the amounts of its own limits alone', async () => {
    const { id } = await world.createOrganization({ usd: '25' })
    const { teamId } = await world.addTeam(id, { monthlyBudgetUsd: '0.001' })
    const { memberId } = await world.addMember(id, { teamId, monthlyBudgetUsd: '7' })
    const terms = { limit: parseUsd('3'), period: null }
    const { key } = await world.addOrganizationKey(id, { memberId, teamId, terms })
    const { limits, allowed } = (await quote({ key }, chat)).json
    expect({ limits, allowed }).toEqual({
      allowed: false,
      limits: [
        expect.objectContaining({ scope: 'wallet', limit: null, taken: null, left: null, binds: false }),
        expect.objectContaining({ scope: 'key', limit: 3, taken: 0, left: 3, binds: false }),
        expect.objectContaining({ scope: 'member', limit: 7, taken: 0, left: 7, binds: false }),
        expect.objectContaining({ scope: 'team', limit: null, taken: null, left: null, binds: true }),
      ],
    })
  })

  it(
    '[NEXT-94] is never below the charge, and likely near it once there is a history',
    async () => {
      const owner = await world.createClient({ usd: '250' })
      const random = randomFrom(7)
      const learned = 10
      let near = 0
      for (let call = 0; call < calls; call += 1) {
        const words = 20 + Math.floor(random() * 400)
        const content = Array.from(
          { length: words },
          () => 'river stone cloud lamp'.split(' ')[Math.floor(random() * 4)],
        ).join(' ')
        const body = { model: 'openai/gpt-5.2', messages: [{ role: 'user', content }], max_tokens: 2_000 }
        // A tokenizer of the provider's own, and answers of much the same length.
        const prompt = Math.round(words * (0.95 + random() * 0.3)) + 7
        const completion = Math.round(600 + (random() + random() - 1) * 140)
        world.upstream.play(vendorCompletion('openai', { kind: 'text', pieces: ['Hi'], usage: { prompt, completion } }))
        const [quoted] = candidatesOf(await quote(owner, body))
        const reply = await world.as(owner).post('/v1/chat/completions', body)
        expect(reply.status, reply.text).toBe(200)
        const { usage } = reply.json
        const cost = Number(isJsonObject(usage) ? usage['cost'] : Number.NaN)
        expect(cost).toBeLessThanOrEqual(Number(quoted?.['worst']))
        expect(cost).toBeGreaterThanOrEqual(Number(quoted?.['least']))
        if (call >= learned && Math.abs(Number(quoted?.['likely']) - cost) <= cost * 0.2) near += 1
      }
      expect(near).toBeGreaterThanOrEqual((calls - learned) * 0.8)
    },
    calls * 5_000,
  )
})

/** A small generator of numbers below one, the same in every run. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 4_294_967_296
  }
}
