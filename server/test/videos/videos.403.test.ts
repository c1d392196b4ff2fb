import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parseCatalogueFile } from '#control/catalogue/parse-catalogue-file.ts'
import type { JsonObject } from '#lib/json.ts'
import { createCatalogueStore } from '#store/postgres/catalogue/catalogue-store.ts'
import { moderationTestPhrase } from '#test/moderation/test-phrase.ts'
import {
  type OrganizationWorld,
  startOrganizationWorld,
  type TestHome,
} from '#test/organizations/organization-world.ts'
import { byokPath } from '#test/routing/byok-world.ts'
import { startVideoUpstream } from '#test/simulators/media/videos/start-video-upstream.ts'
import type { VideoUpstream } from '#test/simulators/media/videos/video-upstream.ts'
import { readTask } from './sealed-tasks.ts'
import { plainModel } from './video-world.ts'

describe('who may have videos made, and of what', () => {
  let world: OrganizationWorld
  let upstream: VideoUpstream
  let home: TestHome
  let key: string
  beforeAll(async () => {
    world = await startOrganizationWorld({ WEIR_EGRESS_ALLOWED_NETWORKS: '127.0.0.1/32' })
    upstream = await startVideoUpstream('luma-agents')
    const { vendor, baseUrl: url, key: credential } = upstream
    await world.addProvider({ vendor, url, pattern: 'acme/*', credential })
    const parsed = parseCatalogueFile([plainModel])
    if (!parsed.accepted) throw new Error('refused')
    await createCatalogueStore(world.pool).import(parsed.rows, Date.now())
    await world.gateway.refresh()
  })
  beforeEach(async () => {
    home = await world.newOrganization()
    key = (await world.addOrganizationKey(home.id)).key
  })
  afterAll(async () => {
    await world.close()
    await upstream.close()
  })

  const ask = (body: JsonObject, secret = key) =>
    world.as(secret).post('/v1/videos', { model: 'acme/film', prompt: 'a weir', ...body })
  const taskOf = () => readTask(world.pool, home.walletId)
  async function addRule(action: string): Promise<void> {
    const matcher = { kind: 'keyword', keyword: 'falcon' }
    const made = await home.admin.post(`/api/orgs/${home.id}/content-filters`, { name: 'rule', action, matcher })
    expect(made.status).toBe(201)
  }

  it('[AUTH-08] management keys may not, nor look at jobs: 403, and nobody is asked', async () => {
    const { memberId } = home.adminMember
    const management = await world.addOrganizationKey(home.id, { memberId, terms: { type: 'management' } })
    expect((await ask({}, management.key)).status).toBe(403)
    for (const path of ['/v1/videos/vjob_1', '/v1/video/generations/vjob_1/content']) {
      expect((await world.as(management.key).get(path)).status).toBe(403)
    }
    expect((await ask({}, 'sk-weir-nobody')).status).toBe(401)
    expect(await taskOf()).toBeUndefined()
    expect(await upstream.requests()).toEqual([])
  })

  it('[FILTER-02] what a rule takes out of a prompt does not get into the job', async () => {
    await addRule('redact')
    expect((await ask({ prompt: 'the falcon flies' })).status).toBe(202)
    expect(await taskOf()).toMatchObject({ prompt: 'the [REDACTED] flies' })
  })

  it('[FILTER-01] what a rule blocks makes no job: 403', async () => {
    await addRule('block')
    const reply = await ask({ prompt: 'the falcon flies' })
    expect(reply.status).toBe(403)
    expect(reply.json).toMatchObject({ error: { code: 'content_filter' } })
    expect(await taskOf()).toBeUndefined()
  })

  it('[MODER-01] [MODER-04] moderation reads the prompt', async () => {
    const caller = await world.createClient()
    const reply = await ask({ prompt: `a weir, ${moderationTestPhrase}` }, caller.key)
    expect(reply.status).toBe(403)
    expect(reply.json).toMatchObject({ error: { code: 'content_filter' } })
    expect(await world.walletOf(caller.walletId)).toMatchObject({ held: '0' })
  })

  it("an organization's own keys make no videos: the platform does, and is paid for it", async () => {
    const { memberId } = home.adminMember
    const management = await world.addOrganizationKey(home.id, { memberId, terms: { type: 'management' } })
    const made = await world.as(management.key).post(byokPath, {
      name: 'Ours',
      baseUrl: `${upstream.baseUrl}`,
      apiKey: 'sk-own-0123456789wxyz',
      protocol: 'openai',
      fallbackMode: 'strict',
      modelMappings: [{ model: 'acme/film', upstreamModel: 'our-film' }],
    })
    expect(made.json).not.toHaveProperty('error')
    expect((await ask({})).status).toBe(202)
    const { rows } = await world.pool.query<{ vendors: string[]; held_nano: string }>(
      `SELECT jsonb_path_query_array(candidates, '$[*].vendor') AS vendors, held_nano FROM video_jobs WHERE wallet_id = $1`,
      [home.walletId],
    )
    expect(rows).toEqual([{ vendors: ['luma'], held_nano: '500000000' }])
  })

  it('a model that the organization does not allow: 403 model_not_allowed', async () => {
    const change = await home.admin.patch(`/api/orgs/${home.id}/allowed-models`, { allowedModels: ['openai/gpt-5.2'] })
    expect(change.status).toBe(200)
    const { memberId } = home.adminMember
    const fresh = await world.addOrganizationKey(home.id, { memberId })
    const reply = await ask({}, fresh.key)
    expect(reply.status).toBe(403)
    expect(reply.json).toMatchObject({ error: { code: 'model_not_allowed' } })
  })
})
