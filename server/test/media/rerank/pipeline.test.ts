import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import {
  type OrganizationWorld,
  startOrganizationWorld,
  type TestHome,
} from '#test/organizations/organization-world.ts'
import { addModels } from '#test/setup/add-models.ts'
import { cohereCounts, rerankUpstream } from '#test/simulators/media/rerank/rerank-upstream.ts'
import { type MediaUpstream, startMediaUpstream } from '#test/simulators/start-media-upstream.ts'
import { rerankModel } from './rerank-model.ts'

const model = 'cohere/ranks'
const perSearch = { path: '/v2/rerank', counts: cohereCounts }
const plain: JsonObject = { model, query: 'a mill', documents: ['riverside', 'fog', 'weir'] }
const many = (count: number): string[] => Array.from({ length: count }, () => 'fog')

describe('a ranking on its way', () => {
  let world: OrganizationWorld
  let cohere: MediaUpstream
  let voyage: MediaUpstream
  let home: TestHome
  let key: string
  let client: Awaited<ReturnType<OrganizationWorld['createClient']>>
  beforeAll(async () => {
    world = await startOrganizationWorld({ WEIR_BREAKER_FAILURES: '100000' })
    cohere = await startMediaUpstream(rerankUpstream(perSearch))
    voyage = await startMediaUpstream(rerankUpstream())
    await world.addProvider({ vendor: 'cohere', url: cohere.url, pattern: 'cohere/*' })
    await world.addProvider({ vendor: 'vllm', url: `${voyage.url}/v1`, pattern: 'cohere/*', priority: 1 })
    await addModels(world, [rerankModel(model, 'cohere', { pricing: { per_search: '0.002' } })])
  })
  beforeEach(async () => {
    home = await world.newOrganization()
    key = (await world.addOrganizationKey(home.id)).key
    client = await world.createClient({ usd: '1' })
    cohere.play(rerankUpstream(perSearch))
    voyage.play(rerankUpstream())
    for (const upstream of [cohere, voyage]) upstream.calls.length = 0
  })
  afterAll(async () => {
    await world.close()
    await cohere.close()
    await voyage.close()
  })

  const ask = (body: JsonObject = {}, headers: Record<string, string> = {}) =>
    world.as(client).post('/v1/rerank', { ...plain, ...body }, { headers })
  const wallet = () => world.walletOf(client.walletId)

  it('[NEXT-131] costs one search for each hundred documents, exactly', async () => {
    const reply = await ask({ documents: many(201) })
    expect(reply.json).toMatchObject({ meta: { billed_units: { search_units: 3 } }, usage: { cost: 0.006 } })
    expect(await wallet()).toEqual({ balance: '0.994', held: '0', charged: '0.006' })
    const { json } = await world.as(client).get(`/v1/generation?id=${String(reply.json.id)}`)
    expect(json.data).toMatchObject({
      usage: { media: { search_units: 3 } },
      receipt: { lines: [{ item: 'per_search', count: 3, unit_price_usd: '0.002' }], total: 0.006 },
      hold: { held: 0.006, charged: 0.006, returned: 0 },
    })
  })

  it('[NEXT-131] is refused where the wallet does not cover what it may cost, and a quote says so', async () => {
    const poor = await world.createClient({ usd: '0.003' })
    const quote = await world.as(poor).post('/v1/quote', { ...plain, documents: many(101) })
    expect(quote.json).toMatchObject({ endpoint: '/v1/rerank', hold: 0.004, allowed: false })
    const reply = await world.as(poor).post('/v1/rerank', { ...plain, documents: many(101) })
    expect([reply.status, reply.json.error]).toMatchObject([402, { code: 'insufficient_credits' }])
    expect((await world.as(poor).post('/v1/rerank', { ...plain, documents: many(100) })).status).toBe(200)
    expect(cohere.calls).toHaveLength(1)
  })

  it('[NEXT-131] fails over to the next provider, and is charged for that one alone', async () => {
    cohere.play(() => ({ status: 500, body: { message: 'internal' } }))
    const reply = await ask()
    expect(reply.status, reply.text).toBe(200)
    expect([cohere.calls.length, voyage.calls.length]).toEqual([1, 1])
    expect(await wallet()).toEqual({ balance: '0.998', held: '0', charged: '0.002' })
  })

  it.each<[string, JsonObject]>([
    ['no count', { results: [{ index: 0, relevance_score: 1 }] }],
    ['no score', { results: [], meta: { billed_units: { search_units: 1 } } }],
  ])('[NEXT-131] is returned whole where the answer has %s', async (_what, body) => {
    cohere.play(() => ({ body }))
    voyage.play(() => ({ body }))
    await ask()
    expect(await wallet()).toEqual({ balance: '1', held: '0', charged: '0' })
  })

  it('[NEXT-130] has the same answer at both paths', async () => {
    const [one, two] = await Promise.all(['/v1/rerank', '/v2/rerank'].map((path) => world.as(client).post(path, plain)))
    expect(one?.json.results).toEqual(two?.json.results)
    expect([one?.status, two?.status]).toEqual([200, 200])
  })

  it('[NEXT-130] is replayed under its idempotency key, and charged once', async () => {
    const headers = { 'idempotency-key': 'rank-1' }
    const first = await ask({}, headers)
    const again = await ask({}, headers)
    expect(again.text).toBe(first.text)
    expect(again.headers.get('x-weir-replayed')).toBe('true')
    expect(cohere.calls).toHaveLength(1)
    expect(await wallet()).toMatchObject({ charged: '0.002' })
  })

  it('[NEXT-130] has the customer, the tags and the run of its request in its receipt', async () => {
    const headers = { 'x-weir-customer': 'acme', 'x-weir-tags': 'feature=search', 'x-weir-run': 'run-1' }
    const reply = await ask({}, headers)
    const { json } = await world.as(client).get(`/v1/generation?id=${String(reply.json.id)}`)
    expect(json.data).toMatchObject({ customer: 'acme', tags: { feature: 'search' }, run: 'run-1' })
  })

  it('[NEXT-130] is not for chat models, and rerank models are for nothing else', async () => {
    const chat = await ask({ model: 'test/echo' })
    expect([chat.status, chat.json.error]).toMatchObject([400, { code: 'model_endpoint_mismatch' }])
    for (const [path, body] of [
      ['/v1/chat/completions', { messages: [{ role: 'user', content: 'Hi' }] }],
      ['/v1/embeddings', { input: 'Hi' }],
    ] as const) {
      const reply = await world.as(client).post(path, { model, ...body })
      expect([reply.status, reply.json.error]).toMatchObject([400, { code: 'model_endpoint_mismatch' }])
      expect(reply.text).toContain('/v1/rerank')
    }
  })

  it('[NEXT-133] shows providers and clients only what content filters leave', async () => {
    const matcher = { kind: 'keyword', keyword: 'falcon' }
    const rule = { name: 'rule', action: 'redact', matcher }
    expect((await home.admin.post(`/api/orgs/${home.id}/content-filters`, rule)).status).toBe(201)
    const documents = ['my falcon', { text: 'a falcon' }, 'fog']
    const reply = await world.as(key).post('/v1/rerank', { model, query: 'falcon', documents, return_documents: true })
    expect(reply.status, reply.text).toBe(200)
    expect(cohere.calls[0]?.json).toMatchObject({
      query: '[REDACTED]',
      documents: ['my [REDACTED]', 'a [REDACTED]', 'fog'],
    })
    expect(reply.text).not.toContain('falcon')
  })
})
