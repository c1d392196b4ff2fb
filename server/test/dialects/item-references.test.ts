import { Redis } from 'ioredis'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type JsonObject, objectAt } from '#lib/json.ts'
import { createPrivateRedis } from '#test/identity/private-redis.ts'
import { findAnywhere } from '#test/moderation/find-anywhere.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import { startTestGateway } from '#test/setup/gateway.ts'
import { redisPrefixOf, testRedisUrl } from '#test/setup/redis.ts'
import type { Reply } from '#test/setup/reply.ts'
import { responsesDocument } from '#test/simulators/protocols/responses/responses-document.ts'
import { responsesStream } from '#test/simulators/protocols/responses/responses-stream.ts'
import { type Simulator, startSimulator } from '#test/simulators/start-simulator.ts'
import { bodySeenBy, type DialectWorld, listAt, modelOf, protocols, startDialectWorld } from './dialect-world.ts'
import { answerOf, hello, type Said, thoughtful, twoCalls } from './upstream-answers.ts'

const itemsOn = { WEIR_RESPONSES_ITEM_RETENTION_MS: '3600000' }
const advice = 'Send the item itself. In the AI SDK, set `providerOptions: { openai: { store: false } }`.'
const goneText = `input[1] refers to an item that is not kept. Items are kept for 1 hour after the last request that used them. ${advice}`
const question = { role: 'user', content: 'Hello' }
const more = { role: 'user', content: 'More' }
const results = ['call_oslo', 'call_utc'].map((call_id) => ({ type: 'function_call_output', call_id, output: 'fine' }))
const tools = ['get_weather', 'get_time'].map((name) => ({ type: 'function', name, parameters: { type: 'object' } }))

const refer = ({ id }: JsonObject): JsonObject => ({ type: 'item_reference', id: id ?? null })

/** The output of a response; for a stream, with the announced item ids, because some clients only keep those. */
function outputOf(reply: Reply): JsonObject[] {
  expect(reply.status, reply.text).toBe(200)
  if (!reply.isStream) return listAt(reply.json, 'output')
  const announced = reply.chunks.filter(({ type }) => type === 'response.output_item.added')
  const items = listAt(objectAt(reply.chunks.at(-1) ?? {}, 'response'), 'output')
  return items.map((item, index) => ({ ...item, id: objectAt(announced[index] ?? {}, 'item').id ?? null }))
}

describe('items that a request refers to', () => {
  let world: DialectWorld
  let caller: TestClient
  let relayed: Simulator
  let redis: Redis
  const relayedModel = 'openai/gpt-4o-mini'
  const post = (body: JsonObject, as = caller): Promise<Reply> => world.post('/v1/responses', body, { as })
  const answered = async (body: JsonObject): Promise<JsonObject[]> => outputOf(await post(body))
  /** The keys of all stored items. */
  const keptKeys = (): Promise<string[]> => redis.keys(`${redisPrefixOf(world.gateway.databaseUrl)}item-one:*`)
  beforeAll(async () => {
    world = await startDialectWorld(itemsOn)
    relayed = await startSimulator()
    const route = { vendor: 'openai', pattern: relayedModel, api: 'responses', priority: -1 } as const
    await world.gateway.addProvider({ ...route, name: 'relayed', url: `${relayed.url}/v1` })
    redis = new Redis(testRedisUrl())
  })
  beforeEach(async () => {
    world.forget()
    relayed.forget()
    caller = await world.caller()
    const keys = await keptKeys()
    if (keys.length > 0) await redis.del(keys)
  })
  afterAll(async () => {
    redis.disconnect()
    await world.close()
    await relayed.close()
  })

  const cases = protocols.flatMap((protocol) =>
    [false, true].flatMap((stream) => [
      { protocol, stream, about: 'thoughts and text', said: thoughtful as Said, next: [more] },
      { protocol, stream, about: 'calls', said: twoCalls, next: results },
    ]),
  )
  it.each(cases)(
    '[V3] [RESP-29] reach $protocol as if they had been sent: $about (streamed: $stream)',
    async ({ protocol, stream, said, next }) => {
      const upstream = world.upstreams[protocol]
      const body = { model: modelOf[protocol], tools, stream }
      const turn = async (input: JsonObject[]): Promise<JsonObject[]> => {
        upstream.playNext(answerOf(protocol, said, stream))
        return answered({ ...body, input })
      }
      const items = await turn([question])
      expect(items.length).toBeGreaterThan(0)
      await turn([question, ...items.map(refer), ...next])
      const seen = bodySeenBy(upstream)
      await turn([question, ...items, ...next])
      expect(seen).toEqual(bodySeenBy(upstream))
      expect(JSON.stringify(seen)).not.toMatch(/item_reference|_weir_/)
    },
  )

  it.each([false, true])('[V3] reach an upstream of Responses as they were made (streamed: %s)', async (stream) => {
    const thought = { type: 'reasoning', id: `rs_${stream}`, summaries: [['I see.']], encrypted: 'gAAA+/==' } as const
    const call = {
      type: 'other',
      whole: { type: 'custom_tool_call', id: `ctc_${stream}`, call_id: 'c', name: 'f', input: 'x' },
    } as const
    const answer = { kind: 'items', items: [thought, call], usage: { prompt: 10, completion: 4 } } as const
    relayed.play({ kind: 'by-request', stream: responsesStream(answer), json: responsesDocument(answer) })
    const items = await answered({ model: relayedModel, stream, input: [question] })
    const result = { type: 'custom_tool_call_output', call_id: 'c', output: 'fine' }
    await answered({ model: relayedModel, stream, input: [question, ...items.map(refer), result] })
    const input = listAt(bodySeenBy(relayed), 'input')
    expect(input).toMatchObject([
      question,
      { type: 'reasoning', id: `rs_${stream}`, encrypted_content: 'gAAA+/==' },
      { type: 'custom_tool_call', id: `ctc_${stream}`, input: 'x' },
      result,
    ])
  })

  it('[V3] of other upstreams reach one of Responses without ids that it does not know', async () => {
    world.upstreams.claude.playNext(answerOf('claude', thoughtful, false))
    const items = await answered({ model: modelOf.claude, input: [question] })
    expect(items.map(({ type }) => type)).toEqual(['reasoning', 'message'])
    relayed.play(responsesDocument({ kind: 'text', pieces: ['Hi'] }))
    await answered({ model: relayedModel, input: [question, ...items.map(refer), more] })
    const input = listAt(bodySeenBy(relayed), 'input')
    expect(input).toMatchObject([question, { type: 'message', role: 'assistant', status: 'completed' }, more])
    expect(JSON.stringify(input)).not.toMatch(/item_reference|_weir_/)
  })

  it('[V3] [RESP-29] are found by their own wallet alone: another one hears what it hears of an id that never was', async () => {
    const [item = {}] = await answered({ model: 'test/echo', input: 'Hello' })
    const stranger = await world.caller()
    const body = { model: 'test/echo', input: [question, refer(item), more] }
    expect((await post(body)).status).toBe(200)
    const foreign = await post(body, stranger)
    const unknown = await post({ ...body, input: [question, refer({ id: 'msg_weir_none' }), more] }, stranger)
    expect([foreign.status, foreign.error.code, foreign.message]).toEqual([400, 'invalid_prompt', goneText])
    expect(foreign).toEqual(unknown)
    expect([...foreign.headers.keys()]).toEqual([...unknown.headers.keys()])
  })

  it('[V3] are sealed in Redis, and no other place has them', async () => {
    const marker = 'violet quokka orchard'
    await answered({ model: 'test/echo', input: marker })
    await expect.poll(keptKeys).toHaveLength(1)
    expect(await findAnywhere(world.gateway, marker)).toEqual([])
    for (const key of await keptKeys()) expect(await redis.pttl(key)).toBeLessThanOrEqual(3_600_000)
  })

  it.each<[string, JsonObject, number]>([
    ['whose client wants nothing stored', { store: false }, 0],
    ['that is streamed to such a client', { store: false, stream: true }, 0],
    ['that a provider blocked', { model: 'test/content-filter' }, 0],
    ['that a provider blocked in its stream', { model: 'test/content-filter', stream: true }, 0],
    ['that failed in its stream', { model: 'test/stream-error', stream: true }, 0],
    ['that broke off', { model: 'test/cut', stream: true }, 0],
    ['that reached its cap', { model: 'test/length' }, 1],
  ])('[V3] [RESP-30] are those of no answer %s: %s', async (_about, body, count) => {
    const reply = await post({ model: 'test/echo', input: 'Hello', ...body })
    expect(reply.status).toBe(200)
    // Items are written in order, so those of the first response exist once the second's do.
    await answered({ model: 'test/echo', input: 'Again' })
    await expect.poll(async () => (await keptKeys()).length).toBeGreaterThan(0)
    expect(await keptKeys()).toHaveLength(count + 1)
  })

  it('[V3] [RESP-30] are those of no answer that its client left', async () => {
    const controller = new AbortController()
    const client = world.gateway.as(caller)
    const body = { model: 'test/drip-50', input: 'one two three four five six', stream: true }
    const response = await client.open('POST', '/v1/responses', body, { signal: controller.signal })
    await response.body?.getReader().read()
    controller.abort()
    const open = `SELECT count(*)::int AS count FROM generations WHERE cancelled`
    await expect.poll(async () => (await world.gateway.pool.query(open)).rows[0]).not.toEqual({ count: 0 })
    await answered({ model: 'test/echo', input: 'Again' })
    await expect.poll(keptKeys).toHaveLength(1)
  })

  it('[RESP-30] [NEXT-66] are those of an answer that a retry gets, although its first client left', async () => {
    const controller = new AbortController()
    const client = world.gateway.as(caller)
    const body = { model: 'test/drip-50', input: 'one two three four five six', stream: true }
    const headers = { 'idempotency-key': 'left' }
    const response = await client.open('POST', '/v1/responses', body, { signal: controller.signal, headers })
    await response.body?.getReader().read()
    controller.abort()
    const [item = {}] = outputOf(await world.post('/v1/responses', body, { as: caller, headers }))
    await expect.poll(keptKeys).toHaveLength(1)
    const next = { model: 'test/echo', input: [question, refer(item), more] }
    expect((await post(next)).status).toBe(200)
  })

  it('[V3] are held for, and judged by filters, as if they had been sent', async () => {
    const long: Said = { kind: 'text', pieces: [`falcon ${'word '.repeat(100_000)}`] }
    const poor = await world.gateway.createClient({ usd: '0.05' })
    world.upstreams.openai.playNext(answerOf('openai', long, false))
    const body = { model: modelOf.openai, max_output_tokens: 100 }
    const [item = {}] = outputOf(await post({ ...body, input: 'Hello' }, poor))
    expect((await post({ ...body, input: [question] }, poor)).status).toBe(200)
    const requests = world.upstreams.openai.requests.length
    const refused = await post({ ...body, input: [question, refer(item), more] }, poor)
    expect([refused.status, refused.error.code]).toEqual([402, 'insufficient_credits'])
    expect(world.upstreams.openai.requests).toHaveLength(requests)

    const { id } = await world.gateway.createOrganization({ usd: '100' })
    const { memberId, userId } = await world.gateway.addMember(id, { role: 'org_admin' })
    const { key } = await world.gateway.addOrganizationKey(id, { memberId })
    const manager = await world.gateway.addKey(userId, { type: 'management' })
    const rule = { name: 'birds', action: 'block', matcher: { kind: 'keyword', keyword: 'falcon' } }
    const client = world.gateway.as(key)
    world.upstreams.openai.playNext(answerOf('openai', long, false))
    const [bird = {}] = outputOf(await client.post('/v1/responses', { ...body, input: 'Hello' }))
    expect((await world.gateway.as(manager).post(`/api/orgs/${id}/content-filters`, rule)).status).toBe(201)
    const blocked = await client.post('/v1/responses', { ...body, input: [question, refer(bird), more] })
    expect([blocked.status, blocked.error.code]).toEqual([403, 'content_filter'])
  })

  it('[V3] may be referred to for as long as the conversation goes on', async () => {
    const history: JsonObject[] = [question]
    for (let turn = 0; turn < 3; turn += 1) {
      world.upstreams.openai.playNext(answerOf('openai', hello, true))
      const items = await answered({ model: modelOf.openai, stream: true, input: [...history] })
      history.push(...items.map(refer), more)
    }
    const messages = listAt(bodySeenBy(world.upstreams.openai), 'messages')
    expect(messages.map(({ content }) => content)).toEqual(['Hello', 'Hello there', 'More', 'Hello there', 'More'])
  })
})

describe('a gateway that keeps no items', () => {
  it('[V3] [RESP-29] says what to do about a reference, and writes nothing', async () => {
    const gateway = await startTestGateway()
    const client = gateway.as(await gateway.createClient())
    const [item] = outputOf(await client.post('/v1/responses', { model: 'test/echo', input: 'Hello' }))
    const reply = await client.post('/v1/responses', { model: 'test/echo', input: [question, refer(item ?? {}), more] })
    expect([reply.status, reply.error.code, reply.message]).toEqual([
      400,
      'invalid_prompt',
      `input[1] refers to an item by its id, but this gateway keeps no items. ${advice}`,
    ])
    const redis = new Redis(testRedisUrl())
    expect(await redis.keys(`${redisPrefixOf(gateway.databaseUrl)}item-*`)).toEqual([])
    redis.disconnect()
    await gateway.close()
  })
})

describe('without Redis', () => {
  it('[V3] requests that refer to items are refused with 503, and all others go on', async () => {
    const server = await createPrivateRedis()
    await server.start()
    const gateway = await startTestGateway({ ...itemsOn, WEIR_REDIS_URL: server.url })
    const client = gateway.as(await gateway.createClient())
    const ask = (input: JsonObject[]): Promise<Reply> => client.post('/v1/responses', { model: 'test/echo', input })
    // The gateway already serves while it connects to Redis.
    await expect.poll(async () => (await ask([question, refer({ id: 'none' })])).status).toBe(400)
    const [item = {}] = outputOf(await ask([question]))
    // The response does not wait for its items to be kept, and Redis does not know the script for that yet.
    await expect.poll(async () => (await ask([question, refer(item), more])).status).toBe(200)
    await server.kill()
    await expect.poll(async () => (await ask([question, refer(item), more])).status).toBe(503)
    const refused = await ask([question, refer(item), more])
    expect(refused.message).toBe(
      `The items that the request refers to can't be read at the moment. Retry shortly. ${advice}`,
    )
    expect(refused.headers.get('retry-after')).toBe('1')
    expect((await ask([question])).status).toBe(200)
    // The response does not wait for its items to be kept.
    await expect.poll(() => gateway.logLines.some((line) => line.includes('output items could not be kept'))).toBe(true)
    await gateway.close()
    await server.remove()
  })
})
