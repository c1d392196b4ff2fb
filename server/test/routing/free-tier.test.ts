import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { removeFreeModel } from '#control/operators/free-models.ts'
import { operatorAuthor } from '#control/operators/platform-entry.ts'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import { createFreeModelStore } from '#store/postgres/free/free-model-store.ts'
import { type ChatWorld, llama, startChatWorld, usageOf } from '#test/chat/chat-world.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import { createTestClock } from '#test/setup/clock.ts'
import { offerFreeModel } from '#test/setup/offer-free-model.ts'
import type { Reply } from '#test/setup/reply.ts'
import { serverError } from '#test/simulators/scenarios/error-faults.ts'

const free = 'openai/gpt-4o-mini'
const other = 'openai/gpt-oss-20b'
const variant = `${free}:free`
const listed = 'google/gemma-3-27b-it:free'
const minuteMs = 60_000
const fallbackHeader = 'x-weir-free-fallback'

const clock = createTestClock('2030-01-07T12:00:15Z')
let world: ChatWorld
beforeAll(async () => {
  world = await startChatWorld({}, clock)
  await offer(free)
  await offer(other)
})
afterAll(() => world.close())
beforeEach(() => {
  world.forget()
  clock.forward(5 * minuteMs)
})

const offer = (modelId: string, limits?: Parameters<typeof offerFreeModel>[2]): Promise<void> =>
  offerFreeModel(world.gateway, modelId, limits)

async function callTimes(caller: TestClient, times: number, body = {}): Promise<Reply[]> {
  const replies: Reply[] = []
  for (let call = 0; call < times; call += 1) {
    replies.push(await world.chat({ model: free, max_tokens: 1, ...body }, { as: caller }))
  }
  return replies
}

/** A prompt of about this many tokens by bytes, the estimate without a tokenizer. */
function promptOf(tokens: number): { role: string; content: string }[] {
  return [{ role: 'user', content: 'abcd'.repeat(tokens) }]
}

async function shown(id: string): Promise<JsonObject | undefined> {
  const { json } = await world.gateway.as().get('/v1/models')
  const entries = Array.isArray(json.data) ? json.data.filter(isJsonObject) : []
  return entries.find((entry) => entry.id === id)
}

async function isShownWhere(allowed: string): Promise<boolean> {
  const { id } = await world.gateway.createOrganization()
  await world.gateway.pool.query('UPDATE organizations SET allowed_models = $2 WHERE id = $1', [id, [allowed]])
  const { key } = await world.gateway.addOrganizationKey(id)
  const { json } = await world.gateway.as(key).get('/v1/models')
  return JSON.stringify(json.data).includes(`"${variant}"`)
}

const costOf = (reply: Reply): unknown => usageOf(reply).cost
const statuses = (replies: readonly Reply[]): number[] => [...new Set(replies.map(({ status }) => status))]

describe('the free variant of a model', () => {
  it('[MODEL-11] is listed and shown, without a price, as long as the model has a free tier', async () => {
    expect(await shown(variant)).toMatchObject({ priced: true, pricing: { prompt: '0', completion: '0' } })
    const { status, json } = await world.gateway.as().get(`/v1/models/${variant.replace('/', '-')}`)
    expect(status).toBe(200)
    expect(json).toMatchObject({ id: variant, pricing: { prompt: '0', completion: '0' } })
    const { data } = await world.gateway.as().get(`/v1/models/${variant}/endpoints`)
    const prices = JSON.stringify(data.endpoints).match(/"(?:prompt|completion)":"[^"]*"/g)
    expect(new Set(prices)).toEqual(new Set(['"prompt":"0"', '"completion":"0"']))
    const unfree = 'openai/gpt-5.2'
    expect(await shown(unfree)).toBeDefined()
    expect(await shown(`${unfree}:free`)).toBeUndefined()
    const { status: missing } = await world.gateway.as().get(`/v1/models/${unfree.replace('/', '-')}:free`)
    expect(missing).toBe(404)
  })

  it('[MODEL-11] is there for an organization that allows the model', async () => {
    expect(await isShownWhere(free)).toBe(true)
    expect(await isShownWhere(other)).toBe(false)
  })

  it('[FREE-02] is never charged, whatever credit there is: beyond the quota it is refused', async () => {
    const caller = await world.caller({ usd: '25' })
    const replies = await callTimes(caller, 11, { model: variant })
    expect(replies.map(({ status }) => status)).toEqual([...Array(10).fill(200), 429])
    expect(replies.slice(0, 10).map(costOf)).toEqual(Array(10).fill(0))
    expect(await world.gateway.walletOf(caller.walletId)).toMatchObject({ balance: '25', held: '0' })
  })
})

describe('a model with a free tier', () => {
  it('[FREE-01] [FREE-07] costs nothing within its quota, with credit and without', async () => {
    for (const usd of ['0', '25']) {
      const caller = await world.caller({ usd })
      const before = await world.gateway.walletOf(caller.walletId)
      const reply = await world.chat({ model: free }, { as: caller })
      expect(reply.status).toBe(200)
      expect(reply.json.model).toBe(free)
      expect(costOf(reply)).toBe(0)
      expect(reply.headers.get(fallbackHeader)).toBeNull()
      expect(await world.gateway.walletOf(caller.walletId)).toEqual(before)
    }
  })

  it('[FREE-07] says nothing of fallbacks on a model that is paid for anyway', async () => {
    const reply = await world.chat({ model: 'openai/gpt-5.2' })
    expect(reply.status).toBe(200)
    expect(costOf(reply)).toBeGreaterThan(0)
    expect(reply.headers.get(fallbackHeader)).toBeNull()
  })

  it('[FREE-02] [FREE-06] [FREE-07] is free ten times a minute, and costs its price from the 11th call on', async () => {
    const caller = await world.caller()
    const within = await callTimes(caller, 10)
    expect(within.map(costOf)).toEqual(Array.from({ length: 10 }, () => 0))
    const [over] = await callTimes(caller, 1)
    expect(over?.status).toBe(200)
    expect(over?.headers.get(fallbackHeader)).toBe('rpm')
    expect(over && costOf(over)).toBeGreaterThan(0)
    clock.forward(minuteMs)
    const [later] = await callTimes(caller, 1)
    expect(later && costOf(later)).toBe(0)
    expect(later?.headers.get(fallbackHeader)).toBeNull()
  })

  it('[FREE-03] [FREE-04] is free for 150 units a day without credit and for 450 with it, one for each 8,192 tokens', async () => {
    for (const { usd, units, after } of [
      { usd: '0', units: 150, after: 429 },
      { usd: '0.01', units: 450, after: 200 },
    ]) {
      const caller = await world.caller({ usd })
      const messages = promptOf(14 * 8_192 + 100)
      for (let used = 0; used < units; used += 150) {
        clock.forward(minuteMs)
        const replies = await callTimes(caller, 10, { messages })
        expect(replies.map(costOf)).toEqual(Array.from({ length: 10 }, () => 0))
      }
      clock.forward(minuteMs)
      const [over] = await callTimes(caller, 1)
      expect(over?.status).toBe(after)
      expect(over?.headers.get(fallbackHeader)).toBe(after === 200 ? 'daily' : null)
      clock.forward(24 * 60 * minuteMs)
      const [tomorrow] = await callTimes(caller, 1)
      expect(tomorrow && costOf(tomorrow)).toBe(0)
    }
  })

  it('[FREE-05] has a quota of its own, and of the size that operators say', async () => {
    const caller = await world.caller()
    await callTimes(caller, 11)
    const [elsewhere] = await callTimes(caller, 1, { model: other })
    expect(elsewhere && costOf(elsewhere)).toBe(0)
    await offer(other, { requestsPerMinute: 3, unitsPerDay: 2 })
    clock.forward(minuteMs)
    const replies = await callTimes(caller, 8, { model: other })
    // Two units per day are six with credit, and one of them is used.
    expect(replies.map((reply) => reply.headers.get(fallbackHeader))).toEqual([
      null,
      null,
      null,
      ...Array(5).fill('rpm'),
    ])
    clock.forward(minuteMs)
    const more = await callTimes(caller, 3, { model: other })
    expect(more.map((reply) => reply.headers.get(fallbackHeader))).toEqual([null, null, 'daily'])
    await offer(other, { requestsPerMinute: 10, unitsPerDay: 150 })
  })

  it('[FREE-08] answers 429 over its quota to who asks for that, by a header or on the key', async () => {
    const caller = await world.caller()
    await callTimes(caller, 10)
    const before = await world.gateway.walletOf(caller.walletId)
    const refused = await world.chat({ model: free }, { as: caller, headers: { 'x-free-fallback': 'false' } })
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await world.gateway.walletOf(caller.walletId)).toEqual(before)
    const strict = await world.gateway.addKey(caller.userId, { freeFallback: false })
    expect((await world.chat({ model: free }, { as: { ...caller, ...strict } })).status).toBe(429)
    expect(await world.gateway.walletOf(caller.walletId)).toEqual(before)
    expect(world.openai.requests).toHaveLength(10)
  })

  it('[FREE-08] [FREE-12] goes by what its key was last told of the fallback', async () => {
    const caller = await world.caller()
    const manager = world.gateway.as(await world.gateway.addKey(caller.userId, { type: 'management' }))
    const switchTo = async (freeFallback: boolean): Promise<void> => {
      expect((await manager.patch(`/v1/keys/${caller.keyId}`, { freeFallback })).status).toBe(200)
    }
    await switchTo(false)
    expect(statuses(await callTimes(caller, 10))).toEqual([200])
    const before = await world.gateway.walletOf(caller.walletId)
    expect((await world.chat({ model: free }, { as: caller })).status).toBe(429)
    expect(await world.gateway.walletOf(caller.walletId)).toEqual(before)
    await switchTo(true)
    const paid = await world.chat({ model: free }, { as: caller })
    expect([paid.status, paid.headers.get(fallbackHeader)]).toEqual([200, 'rpm'])
    expect(costOf(paid)).toBeGreaterThan(0)
  })

  it('[FREE-09] answers 429 over its quota without credit, whatever the caller says', async () => {
    const caller = await world.caller({ usd: '0' })
    await callTimes(caller, 10)
    for (const headers of [{}, { 'x-free-fallback': 'true' }, { 'x-free-fallback': 'false' }]) {
      expect((await world.chat({ model: free }, { as: caller, headers })).status).toBe(429)
    }
    expect(world.openai.requests).toHaveLength(10)
  })

  it('[FREE-02] counts a person once, whichever key they use, and each person alone', async () => {
    const caller = await world.caller({ usd: '0' })
    const second = await world.gateway.addKey(caller.userId)
    await callTimes(caller, 5)
    expect(statuses(await callTimes({ ...caller, ...second }, 5))).toEqual([200])
    expect(statuses(await callTimes(caller, 1))).toEqual([429])
    expect(statuses(await callTimes(await world.caller({ usd: '0' }), 1))).toEqual([200])
  })

  it('[FREE-02] counts exactly when many calls come at once', async () => {
    const caller = await world.caller({ usd: '0' })
    const replies = await Promise.all(
      Array.from({ length: 30 }, () => world.chat({ model: free, max_tokens: 1 }, { as: caller })),
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(10)
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(20)
  })

  it('[FREE-04] counts nothing for a request that is refused', async () => {
    const caller = await world.caller({ usd: '0' })
    const refused = await callTimes(caller, 12, { provider: { only: ['anthropic'] } })
    expect(statuses(refused)).toEqual([503])
    expect(statuses(await callTimes(caller, 10))).toEqual([200])
  })

  it('[FREE-01] becomes paid again when operators say so', async () => {
    const caller = await world.caller()
    await offer(llama)
    const [within] = await callTimes(caller, 1, { model: llama })
    expect(within && costOf(within)).toBe(0)
    await removeFreeModel(createFreeModelStore(world.gateway.pool), llama, operatorAuthor(Date.now()))
    await world.gateway.gateway.refresh()
    const [after] = await callTimes(caller, 1, { model: llama })
    expect(after && costOf(after)).toBeGreaterThan(0)
  })
})

describe('several models', () => {
  it('[FREE-01] are free where the one that answers is, and count for that one alone', async () => {
    const caller = await world.caller({ usd: '0' })
    const models = [free, other]
    world.openai.playNext(serverError(500))
    const reply = await world.chat({ model: free, models, max_tokens: 1 }, { as: caller })
    expect(reply.json.model).toBe(other)
    expect(costOf(reply)).toBe(0)
    expect(statuses(await callTimes(caller, 9))).toEqual([200])
    expect(statuses(await callTimes(caller, 9, { model: other }))).toEqual([200])
    expect(statuses(await callTimes(caller, 1, { model: other }))).toEqual([429])
  })

  it('[FREE-01] reserve for the fallback that costs, and charge nothing where the free one answers', async () => {
    const caller = await world.caller()
    const before = await world.gateway.walletOf(caller.walletId)
    const reply = await world.chat({ model: free, models: [free, 'openai/gpt-5.2'] }, { as: caller })
    expect([reply.json.model, costOf(reply)]).toEqual([free, 0])
    expect(await world.gateway.walletOf(caller.walletId)).toEqual(before)
    world.openai.playNext(serverError(500))
    const paid = await world.chat({ model: free, models: [free, 'openai/gpt-5.2'] }, { as: caller })
    expect(paid.json.model).toBe('openai/gpt-5.2')
    expect(costOf(paid)).toBeGreaterThan(0)
    expect(paid.headers.get(fallbackHeader)).toBeNull()
  })

  it('[FREE-09] do not ask for credit that only a fallback would need', async () => {
    const caller = await world.caller({ usd: '0' })
    const models = [free, 'openai/gpt-5.2']
    expect(statuses(await callTimes(caller, 10, { models }))).toEqual([200])
    expect(statuses(await callTimes(caller, 1, { models }))).toEqual([429])
  })

  it('[FREE-08] go on to the next one that is paid for by choice', async () => {
    const caller = await world.caller()
    await callTimes(caller, 10)
    const models = [free, 'openai/gpt-5.2']
    const reply = await world.chat({ model: free, models }, { as: caller, headers: { 'x-free-fallback': 'false' } })
    expect(reply.json.model).toBe('openai/gpt-5.2')
    expect(reply.headers.get(fallbackHeader)).toBeNull()
  })
})

it('[FREE-11] a listed entry is never charged, and answers 429 over its quota', async () => {
  const caller = await world.caller()
  const before = await world.gateway.walletOf(caller.walletId)
  const within = await callTimes(caller, 10, { model: listed })
  expect(statuses(within)).toEqual([200])
  expect(new Set(within.map(costOf))).toEqual(new Set([0]))
  expect(statuses(await callTimes(caller, 2, { model: listed }))).toEqual([429])
  expect(await world.gateway.walletOf(caller.walletId)).toEqual(before)
})
