import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ChatWorld, startChatWorld } from '#test/chat/chat-world.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import { listRoutes } from './list-routes.ts'

describe('versions and prefixes', () => {
  let world: ChatWorld
  let caller: TestClient
  beforeAll(async () => {
    world = await startChatWorld()
    caller = await world.caller()
  })
  afterAll(() => world.close())

  async function answerOf(path: string, headers: Record<string, string> = {}) {
    const response = await world.gateway.as().get(path, { headers })
    const own = /"requests(?:_\w+)?":\d+|\/(?:api\/)?v1\/nothing/g
    const names = [...response.headers.keys()].filter((name) => name !== 'date').sort()
    return { status: response.status, names, body: response.text.replaceAll(own, '') }
  }

  it('[VER-01] every route under /v1 is there under /api/v1, and none is there alone', () => {
    const routes = listRoutes(world.gateway.gateway.server)
    const under = (prefix: string) =>
      routes
        .filter(({ path }) => path.startsWith(prefix))
        .map(({ method, path }) => `${method} ${path.slice(prefix.length)}`)
        .sort()
    expect(under('/v1/').length).toBeGreaterThan(8)
    expect(under('/api/v1/')).toEqual(under('/v1/'))
  })

  it.each([
    '/models',
    '/models?output_modalities=all',
    '/models/openai-gpt-5.2',
    '/models/openai/gpt-5.2/endpoints',
    '/models/nothing',
    '/key',
    '/auth/key',
    '/credits',
    '/generation?id=gen-00000000000000000000000000000000',
    '/generation',
    '/nothing',
  ])('[VER-01] GET %s answers the same under both prefixes', async (path) => {
    for (const headers of [{}, { authorization: `Bearer ${caller.key}` }]) {
      const answers = await Promise.all([`/v1${path}`, `/api/v1${path}`].map((url) => answerOf(url, headers)))
      expect(answers[1]).toEqual(answers[0])
    }
  })

  it('[VER-02] organizations and institutions under /api are those of the same server', async () => {
    const { id } = await world.gateway.createOrganization({ name: 'Heron' })
    const { userId } = await world.gateway.addMember(id, { role: 'org_admin' })
    const admin = world.gateway.as(await world.gateway.addKey(userId, { type: 'management' }))
    expect((await admin.get(`/v1/orgs/${id}`)).json).toMatchObject({ data: { id, name: 'Heron' } })
    const allowed = { allowedModels: ['openai/gpt-5.2'] }
    expect((await admin.patch(`/api/orgs/${id}/allowed-models`, allowed)).status).toBe(200)
    const read = await admin.get(`/api/orgs/${id}/allowed-models`)
    expect([read.status, read.headers.get('x-request-id')]).toEqual([200, expect.stringMatching(/^req_/)])
    expect(read.json).toMatchObject(allowed)
    // A change under one prefix applies under the other.
    const key = await world.gateway.addOrganizationKey(id)
    const models = await world.gateway.as(key).get('/v1/models?output_modalities=all')
    expect(models.list.map((model) => model.id)).toEqual(['openai/gpt-5.2'])
    const asked = { key: `sk-edu-${'0'.repeat(64)}`, email: 'one@uni.example' }
    const code = await world.gateway.as().post('/api/edu/request-code', asked)
    // This gateway has no mail server.
    expect([code.status, code.json]).toEqual([503, { error: 'mail_not_configured' }])
    expect(code.headers.get('x-request-id')).toMatch(/^req_/)
  })

  it.each(['/api/orgs', '/api/orgs/1/reports', '/api/edu', '/api/edu/verify'])(
    'what is not there under %s is refused as under /v1',
    async (path) => {
      const response = await world.gateway.as().get(path)
      expect(response.status).toBe(404)
      expect(response.headers.get('x-request-id')).toMatch(/^req_/)
      expect(response.json).toMatchObject({ error: { message: expect.any(String), code: 404 } })
    },
  )

  it('[VER-03] no version header is needed, returned or minded', async () => {
    const plain = await answerOf('/v1/models')
    expect(plain.names.filter((name) => name.includes('version'))).toEqual([])
    const chat = await world.chat({}, { as: caller })
    expect([...chat.headers.keys()].filter((name) => name.includes('version'))).toEqual([])
    for (const version of ['accept-version', 'api-version', 'anthropic-version', 'openai-version', 'x-api-version']) {
      for (const value of ['0', '99.0.0', '2020-01-01', 'nonsense']) {
        expect(await answerOf('/v1/models', { [version]: value }), version).toEqual(plain)
        const reply = await world.chat({}, { as: caller, headers: { [version]: value } })
        expect(reply.status, version).toBe(200)
      }
    }
  })
})
