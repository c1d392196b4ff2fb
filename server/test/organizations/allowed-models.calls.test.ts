import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { startSecondGateway } from '#test/edge/second-gateway.ts'
import { callChat } from '#test/setup/call-chat.ts'
import { createTestClock } from '#test/setup/clock.ts'
import type { Reply } from '#test/setup/reply.ts'
import { serverError } from '#test/simulators/scenarios/error-faults.ts'
import { type Simulator, startSimulator } from '#test/simulators/start-simulator.ts'
import { type OrganizationWorld, startOrganizationWorld, type TestHome } from './organization-world.ts'

let world: OrganizationWorld
let upstream: Simulator
let home: TestHome
let key: string
let paths: { organization: string; team: string; member: string }

beforeAll(async () => {
  world = await startOrganizationWorld({ WEIR_BREAKER_FAILURES: '100000' })
  upstream = await startSimulator()
  await world.addProvider({ vendor: 'openai', url: `${upstream.url}/v1`, pattern: 'openai/*' })
})
beforeEach(async () => {
  home = await world.newOrganization()
  const { teamId } = await world.addTeam(home.id)
  const { memberId } = await world.addMember(home.id, { teamId })
  key = (await world.addOrganizationKey(home.id, { memberId })).key
  const base = `/api/orgs/${home.id}`
  paths = {
    organization: `${base}/allowed-models`,
    team: `${base}/teams/${teamId}/allowed-models`,
    member: `${base}/members/${memberId}/allowed-models`,
  }
  upstream.forget()
})
afterAll(async () => {
  await world.close()
  await upstream.close()
})

async function allow(kind: keyof typeof paths, ...allowedModels: string[]): Promise<void> {
  expect((await home.admin.patch(paths[kind], { allowedModels })).status).toBe(200)
}

async function call(model: string, body: JsonObject = {}): Promise<number> {
  return (await callChat(world.as(key), { model, max_tokens: 8, ...body })).status
}

/** The three inference endpoints, each with a body in its own format. */
const endpoints = [
  ['/v1/chat/completions', {}],
  ['/v1/responses', { input: 'Hello', messages: undefined }],
  ['/v1/messages', { max_tokens: 8 }],
] as const

describe('calls with a key of an organization', () => {
  it('[ALLOW-04] may have every model while nobody has said anything, and then what every layer allows', async () => {
    expect(await call('openai/gpt-5.2')).toBe(200)
    await allow('organization', 'openai/*')
    expect(await call('openai/gpt-5.2')).toBe(200)
    await allow('team', 'openai/gpt-5.2', 'openai/gpt-4.1-nano')
    expect(await call('openai/gpt-5.2')).toBe(200)
    await allow('member', 'openai/gpt-4.1-nano')
    expect(await call('openai/gpt-5.2')).toBe(403)
    expect(await call('openai/gpt-4.1-nano')).toBe(200)
    await allow('member')
    expect(await call('openai/gpt-5.2')).toBe(200)
    await allow('organization', 'google/*')
    expect(await call('openai/gpt-5.2')).toBe(403)
  })

  it('[ALLOW-05] may have exactly the model of an entry, however its name is written, and a whole provider', async () => {
    await allow('organization', 'openai/gpt-5.2')
    expect(await call('openai/gpt-5.2')).toBe(200)
    expect(await call('gpt-5-2')).toBe(200)
    expect(await call('openai/gpt-4.1-nano')).toBe(403)
    await allow('organization', 'test/*')
    expect(await call('test/echo')).toBe(200)
    expect(await call('openai/gpt-5.2')).toBe(403)
  })

  it.each(endpoints)('[ERR-45] are refused with model_not_allowed on %s', async (path, body) => {
    await allow('team', 'google/*')
    for (const stream of [false, true]) {
      const reply = await callChat(world.as(key), { ...body, stream }, { path })
      expect(reply.status).toBe(403)
      expect(reply.json).toMatchObject({ error: { code: 'model_not_allowed', type: 'permission_error' } })
    }
    expect(upstream.requests).toHaveLength(0)
  })

  it('[ALLOW-09] [HOLD-14] that are refused reach no upstream, hold nothing and cost nothing', async () => {
    await allow('member', 'google/*')
    const before = await world.walletOf(home.walletId)
    const statuses = await Promise.all(Array.from({ length: 10 }, () => call('openai/gpt-5.2')))
    expect(new Set(statuses)).toEqual(new Set([403]))
    expect(upstream.requests).toHaveLength(0)
    expect(await world.walletOf(home.walletId)).toEqual(before)
    const { rows } = await world.pool.query('SELECT FROM holds WHERE wallet_id = $1', [home.walletId])
    expect(rows).toHaveLength(0)
  })

  it('[ALLOW-10] are never served by a model of their own list that is not allowed', async () => {
    await allow('organization', 'openai/gpt-5.2')
    const models = ['test/echo', 'openai/gpt-4.1-nano']
    expect(await call('openai/gpt-5.2', { models })).toBe(200)
    const { body } = upstream.requests.at(-1) ?? {}
    expect(body).toMatchObject({ model: 'gpt-5.2' })
    expect(body).not.toHaveProperty('models')
    upstream.play(serverError())
    expect(await call('openai/gpt-5.2', { models })).toBe(502)
    for (const { body: sent } of upstream.requests) expect(sent).toMatchObject({ model: 'gpt-5.2' })
    upstream.play({ kind: 'echo' })
  })

  it('[ALLOW-04] with a personal key of the same person may have what they like', async () => {
    await allow('organization', 'google/*')
    const caller = await world.createClient()
    await world.addMember(home.id, { userId: caller.userId })
    expect((await callChat(world.as(caller), {})).status).toBe(200)
  })
})

describe('[ALLOW-11] a changed list', () => {
  it('holds in another process as soon as the message of it has come', async () => {
    // Its clock stands still, so its cache never expires: only the message makes it read again.
    const other = await startSecondGateway(world, {}, createTestClock(new Date().toISOString()))
    try {
      const there = async () => (await callChat({ url: other.url, key }, { max_tokens: 8 })).status
      expect(await there()).toBe(200)
      expect(await call('openai/gpt-5.2')).toBe(200)
      await allow('organization', 'google/*')
      expect(await call('openai/gpt-5.2')).toBe(403)
      await expect.poll(there).toBe(403)
      await allow('organization')
      await expect.poll(there).toBe(200)
    } finally {
      await other.close()
    }
  })
})

describe('[MODEL-16] what a key of an organization sees of models', () => {
  it.each(['openai-gpt-5.2', 'openai%2Fgpt-5.2', 'openai/gpt-5.2', 'openai/gpt-5.2/endpoints', 'openai-gpt-4-32k'])(
    'is 404 for %s where it is not allowed, as if there were none',
    async (name) => {
      await allow('organization', 'google/*')
      const hidden = await seen(`/v1/models/${name}`)
      const missing = await seen(`/v1/models/${name.replace('gpt', 'nothing')}`)
      expect(hidden.status).toBe(404)
      expect(JSON.stringify(hidden.json)).toBe(JSON.stringify(missing.json).replaceAll('nothing', 'gpt'))
    },
  )

  it('is what is allowed, also in the list', async () => {
    const whole = await seen('/v1/models?output_modalities=all')
    await allow('organization', 'google/*', 'openai/gpt-5.2')
    await allow('member', 'google/gemini-3-pro', 'openai/*')
    expect((await seen('/v1/models/openai/gpt-5.2')).status).toBe(200)
    const list = await seen('/v1/models?output_modalities=all')
    expect(idsIn(list).sort()).toEqual(['google/gemini-3-pro', 'openai/gpt-5.2'])
    expect(list.json).toMatchObject({ object: 'list', total_count: 2, has_more: false })
    const response = await world.as().get('/v1/models?output_modalities=all')
    expect(response.json).toEqual(whole.json)
  })

  it('is everything for personal keys, for keys that do not hold, and for nobody', async () => {
    await allow('organization', 'google/*')
    const { key: personal } = await world.createClient()
    expect((await seen('/v1/models/openai/gpt-5.2', personal)).status).toBe(200)
    expect((await seen('/v1/models/openai/gpt-5.2', 'sk-weir-nothing')).status).toBe(200)
    expect((await world.as().get('/v1/models/openai/gpt-5.2')).status).toBe(200)
  })
})

function seen(path: string, as = key): Promise<Reply> {
  return world.as(as).get(path)
}

function idsIn({ list }: Reply): unknown[] {
  return list.map(({ id }) => id)
}
