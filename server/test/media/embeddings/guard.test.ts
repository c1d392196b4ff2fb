import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { moderationTestPhrase } from '#test/moderation/test-phrase.ts'
import { byokPath } from '#test/routing/byok-world.ts'
import {
  type OrganizationWorld,
  startOrganizationWorld,
  type TestHome,
} from '#test/organizations/organization-world.ts'
import { openAiShaped } from '#test/simulators/media/embeddings/openai-shaped.ts'
import { type MediaUpstream, startMediaUpstream } from '#test/simulators/start-media-upstream.ts'
import { text } from './embeddings-world.ts'

const model = 'openai/text-embedding-3-small'

describe('who may make embeddings, and of what', () => {
  let world: OrganizationWorld
  let upstream: MediaUpstream
  let own: MediaUpstream
  let home: TestHome
  let key: string
  beforeAll(async () => {
    world = await startOrganizationWorld({ WEIR_EGRESS_ALLOWED_NETWORKS: '127.0.0.0/8' })
    upstream = await startMediaUpstream(openAiShaped())
    own = await startMediaUpstream(openAiShaped())
    await world.addProvider({ vendor: 'openai', url: `${upstream.url}/v1`, pattern: 'openai/*' })
  })
  beforeEach(async () => {
    home = await world.newOrganization()
    key = (await world.addOrganizationKey(home.id)).key
    upstream.calls.length = 0
    own.calls.length = 0
  })
  afterAll(async () => {
    await world.close()
    await upstream.close()
    await own.close()
  })

  const ask = (body: JsonObject, secret = key) => world.as(secret).post('/v1/embeddings', { model, ...body })
  const addRule = async (action: string) => {
    const matcher = { kind: 'keyword', keyword: 'falcon' }
    const made = await home.admin.post(`/api/orgs/${home.id}/content-filters`, { name: 'rule', action, matcher })
    expect(made.status).toBe(201)
  }

  it('[FILTER-02] what a rule takes out does not reach the upstream, in whatever form it came', async () => {
    await addRule('redact')
    for (const input of ['the falcon flies', ['a hawk', 'a falcon'], [{ content: [text('my falcon')] }]]) {
      expect((await ask({ input })).status).toBe(200)
    }
    expect(upstream.calls.map(({ json }) => json.input)).toEqual([
      ['the [REDACTED] flies'],
      ['a hawk', 'a [REDACTED]'],
      ['my [REDACTED]'],
    ])
  })

  it('[FILTER-01] what a rule blocks is not sent', async () => {
    await addRule('block')
    const reply = await ask({ input: ['a hawk', 'a falcon'] })
    expect(reply.status).toBe(403)
    expect(reply.json).toMatchObject({ error: { code: 'content_filter' } })
    expect(upstream.calls).toEqual([])
  })

  it('[FILTER-01] token ids, which no rule can read, are refused where there are rules, and only there', async () => {
    expect((await ask({ input: [[1, 2]] })).status).toBe(200)
    await addRule('block')
    const reply = await ask({ input: [[1, 2]] })
    expect(reply.status).toBe(403)
    expect(reply.json).toMatchObject({ error: { code: 'content_filter' } })
    expect(reply.text).toContain('Send strings instead of token ids')
  })

  it('[MODER-01] moderation reads every text', async () => {
    const caller = await world.createClient()
    for (const input of [
      moderationTestPhrase,
      ['fine', moderationTestPhrase],
      [{ content: [text(moderationTestPhrase)] }],
    ]) {
      const reply = await ask({ input }, caller.key)
      expect(reply.status).toBe(403)
      expect(reply.json).toMatchObject({ error: { code: 'content_filter' } })
    }
    expect(upstream.calls).toEqual([])
  })

  it('[EDU-11] the session of an institution may, and its organization pays', async () => {
    const { token } = await world.addInstitutionSession(home.id)
    const reply = await ask({ input: 'Hello there' }, token)
    expect(reply.status).toBe(200)
    expect((await world.walletOf(home.walletId)).charged).toBe('0.000000044')
  })

  it('[EMB-01] management keys may not: 403', async () => {
    const { memberId } = home.adminMember
    const management = await world.addOrganizationKey(home.id, { memberId, terms: { type: 'management' } })
    expect((await ask({ input: 'Hello' }, management.key)).status).toBe(403)
    expect((await ask({ input: 'Hello' }, 'sk-weir-nobody')).status).toBe(401)
    expect(upstream.calls).toEqual([])
  })

  it('a model that the organization does not allow: 403 model_not_allowed', async () => {
    const { memberId } = home.adminMember
    const change = await home.admin.patch(`/api/orgs/${home.id}/allowed-models`, { allowedModels: ['openai/gpt-5.2'] })
    expect(change.status).toBe(200)
    const fresh = await world.addOrganizationKey(home.id, { memberId })
    const reply = await ask({ input: 'Hello' }, fresh.key)
    expect(reply.status).toBe(403)
    expect(reply.json).toMatchObject({ error: { code: 'model_not_allowed' } })
  })

  it("[BYOK-13] an organization's own key at an unknown host makes embeddings too, unbilled, and shows the price there", async () => {
    const { memberId } = home.adminMember
    const management = await world.addOrganizationKey(home.id, { memberId, terms: { type: 'management' } })
    const made = await world.as(management.key).post(byokPath, {
      name: 'Ours',
      baseUrl: `${own.url}/v1`,
      apiKey: 'sk-own-0123456789wxyz',
      protocol: 'openai',
      fallbackMode: 'seamless',
      modelMappings: [{ model, upstreamModel: 'our-embedding' }],
    })
    expect(made.json).not.toHaveProperty('error')
    own.calls.length = 0
    const reply = await ask({ input: 'Hello there', encoding_format: 'base64' })
    expect(reply.status).toBe(200)
    expect(own.calls.map(({ path, json }) => [path, json.model])).toEqual([['/v1/embeddings', 'our-embedding']])
    expect(reply.json.usage).toEqual({
      prompt_tokens: 2,
      total_tokens: 2,
      cost: 0,
      cost_details: { upstream_inference_cost: 0.000000044 },
    })
    expect((await world.walletOf(home.walletId)).charged).toBe('0')
  })
})
