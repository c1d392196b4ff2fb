import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { moderationTestPhrase } from '#test/moderation/test-phrase.ts'
import {
  type OrganizationWorld,
  startOrganizationWorld,
  type TestHome,
} from '#test/organizations/organization-world.ts'
import { addModels } from '#test/setup/add-models.ts'
import {
  mistralModerationUpstream,
  moderationUpstream,
} from '#test/simulators/media/moderations/moderation-upstream.ts'
import { type MediaUpstream, startMediaUpstream } from '#test/simulators/start-media-upstream.ts'
import { moderationModel } from './moderation-model.ts'

const [free, priced] = ['openai/omni-moderation-latest', 'mistralai/mistral-moderation']
const png = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }

describe('POST /v1/moderations', () => {
  let world: OrganizationWorld
  let openai: MediaUpstream
  let mistral: MediaUpstream
  let home: TestHome
  let key: string
  let client: Awaited<ReturnType<OrganizationWorld['createClient']>>
  beforeAll(async () => {
    world = await startOrganizationWorld({ WEIR_BREAKER_FAILURES: '100000' })
    openai = await startMediaUpstream(moderationUpstream)
    mistral = await startMediaUpstream(mistralModerationUpstream)
    await world.addProvider({ vendor: 'openai', url: `${openai.url}/v1`, pattern: 'openai/*' })
    await world.addProvider({ vendor: 'mistral', url: `${mistral.url}/v1`, pattern: 'mistralai/*' })
    await addModels(world, [
      moderationModel(free, 'openai'),
      moderationModel(priced, 'mistral', { prompt: '0.0000001' }),
      moderationModel('openai/priced-moderation', 'openai', { prompt: '0.0000001' }),
    ])
  })
  beforeEach(async () => {
    home = await world.newOrganization()
    key = (await world.addOrganizationKey(home.id)).key
    client = await world.createClient({ usd: '1' })
    openai.play(moderationUpstream)
    for (const upstream of [openai, mistral]) upstream.calls.length = 0
  })
  afterAll(async () => {
    await world.close()
    await openai.close()
    await mistral.close()
  })

  const ask = (body: JsonObject, headers: Record<string, string> = {}) =>
    world.as(client).post('/v1/moderations', body, { headers })

  const listed = async (modality: string) => {
    const { json } = await world.as(client).get(`/v1/models?output_modalities=${modality}`)
    const data = Array.isArray(json.data) ? json.data : []
    return data.map((model) => (typeof model === 'object' && model !== null && 'id' in model ? model : {}))
  }

  it("[NEXT-146] [NEXT-147] answers in OpenAI's form, for nothing where the model is free", async () => {
    const reply = await ask({ input: ['a calm day', 'much violence'] })
    expect(reply.status, reply.text).toBe(200)
    expect(reply.json).toMatchObject({
      id: reply.headers.get('x-generation-id'),
      model: free,
      results: [
        { flagged: false, categories: { violence: false, illicit: null }, category_scores: { violence: 0.1 } },
        { flagged: true, categories: { violence: true }, category_applied_input_types: { violence: ['text'] } },
      ],
      usage: { prompt_tokens: 0, total_tokens: 0, cost: 0 },
    })
    expect(openai.calls[0]?.json).toEqual({
      model: 'omni-moderation-latest',
      input: ['a calm day', 'much violence'],
    })
    const { json } = await world.as(client).get(`/v1/generation?id=${String(reply.json.id)}`)
    expect(json.data).toMatchObject({ total_cost: 0, refund_reason: null, usage: { media: { input_characters: 23 } } })
  })

  it('[NEXT-147] judges a text and an image together', async () => {
    const reply = await ask({ model: free, input: [{ type: 'text', text: 'violence' }, png] })
    expect(reply.json).toMatchObject({ results: [{ flagged: true }] })
    const refused = await ask({ model: priced, input: [png] })
    expect([refused.status, refused.json.error]).toMatchObject([400, { code: 'input_images_not_supported' }])
  })

  it('[NEXT-146] charges the tokens that the provider counts, exactly', async () => {
    const reply = await ask({ model: priced, input: 'violence as a theme' })
    expect(reply.json).toMatchObject({
      results: [{ flagged: true, categories: { violence_and_threats: true, pii: false } }],
      usage: { prompt_tokens: 4, cost: 0.0000004 },
    })
    expect(await world.walletOf(client.walletId)).toEqual({ balance: '0.9999996', held: '0', charged: '0.0000004' })
  })

  it('[NEXT-146] is not served at a price that the provider does not count for', async () => {
    const reply = await ask({ model: 'openai/priced-moderation', input: 'Hi' })
    expect(reply.status).toBe(503)
    expect(openai.calls).toHaveLength(0)
  })

  it('[NEXT-148] is read by content filters and by the moderation of the operator first', async () => {
    expect((await ask({ model: free, input: moderationTestPhrase })).status).toBe(403)
    expect(openai.calls).toHaveLength(0)
    const rule = { name: 'rule', action: 'redact', matcher: { kind: 'keyword', keyword: 'falcon' } }
    expect((await home.admin.post(`/api/orgs/${home.id}/content-filters`, rule)).status).toBe(201)
    await world.as(key).post('/v1/moderations', { model: free, input: 'my falcon' })
    expect(openai.calls.at(-1)?.json).toMatchObject({ input: ['my [REDACTED]'] })
  })

  it('[NEXT-147] has a quote, a customer and an idempotency key', async () => {
    const quote = await world.as(client).post('/v1/quote', { model: priced, input: 'Hi' })
    // A token of two bytes, and 128 around it.
    expect(quote.json).toMatchObject({ endpoint: '/v1/moderations', hold: 0.0000129 })
    const headers = { 'idempotency-key': 'judge-1', 'x-weir-customer': 'acme' }
    const [first, again] = [await ask({ input: 'Hi' }, headers), await ask({ input: 'Hi' }, headers)]
    expect(again.text).toBe(first.text)
    expect(openai.calls).toHaveLength(1)
    const { json } = await world.as(client).get(`/v1/generation?id=${String(first.json.id)}`)
    expect(json.data).toMatchObject({ customer: 'acme' })
  })

  it('[NEXT-147] is not for chat models, and moderation models do not chat', async () => {
    const reply = await ask({ model: 'test/echo', input: 'Hi' })
    expect([reply.status, reply.json.error]).toMatchObject([400, { code: 'model_endpoint_mismatch' }])
    const body = { model: free, messages: [{ role: 'user', content: 'Hi' }] }
    const chat = await world.as(client).post('/v1/chat/completions', body)
    expect([chat.status, chat.json.error]).toMatchObject([400, { code: 'model_endpoint_mismatch' }])
    expect(chat.text).toContain('/v1/moderations')
  })

  it('[NEXT-155] lists rerank and moderation models where they can be called, and only then', async () => {
    const moderation = await listed('moderation')
    expect(moderation).toContainEqual(expect.objectContaining({ id: free, available: true }))
    expect(moderation).toContainEqual(expect.objectContaining({ id: priced, available: true }))
    expect(moderation).not.toContainEqual(expect.objectContaining({ id: 'openai/priced-moderation', available: true }))
    expect(await listed('rerank')).toContainEqual(expect.objectContaining({ id: 'test/rerank', available: true }))
  })
})
