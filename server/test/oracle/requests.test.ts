import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createTestClock } from '#test/setup/clock.ts'
import type { Client } from '#test/setup/client.ts'
import { fieldsOf } from '#test/simulators/media/images/openai-images.ts'
import { call, inferences, type Inference, kinds } from './every-call.ts'
import { modelsFor, type OracleWorld, startOracleWorld } from './oracle-world.ts'

const clock = createTestClock('2030-01-07T12:00:15Z')
let world: OracleWorld
let client: Client

beforeAll(async () => {
  world = await startOracleWorld({}, clock)
  const prefixed = ['openai/gpt-', 'anthropic/claude-', 'acme/bare-'].map((start) => (kind: string) => start + kind)
  await world.addModels(prefixed.flatMap((idOf) => modelsFor(idOf)))
  client = world.as(await world.createClient())
})
afterAll(() => world.close())
afterEach(() => world.recover())

/** The model of the upstream request. A video is only ordered; a worker calls the upstream. */
async function servedBy(endpoint: Inference, model: string): Promise<unknown> {
  world.recover()
  const reply = await call(client, endpoint, { model })
  if (reply.status >= 300) return `${reply.status}: ${reply.text}`
  const [asked] = world.upstream.calls
  if (asked === undefined) return reply.status === 202 ? await orderedModel(String(reply.json.id)) : 'nobody was asked'
  return asked.json.model ?? fieldsOf(asked).get('model')
}

async function orderedModel(jobId: string): Promise<unknown> {
  const { json } = await client.get(`/v1/videos/${jobId}`)
  return String(json.model).split('/')[1]
}

describe('the name of a model', () => {
  it.each(inferences)(
    '[ROUTE-01] [ROUTE-02] is its full id on %s, and needs no maker before gpt- and claude-',
    async (endpoint) => {
      const kind = kinds[endpoint]
      expect(await servedBy(endpoint, `acme/${kind}`)).toBe(kind)
      expect(await servedBy(endpoint, `openai/gpt-${kind}`)).toBe(`gpt-${kind}`)
      expect(await servedBy(endpoint, `gpt-${kind}`)).toBe(`gpt-${kind}`)
      expect(await servedBy(endpoint, `claude-${kind}`)).toBe(`claude-${kind}`)
    },
  )

  it.each(inferences)('[ROUTE-04] may be bare on %s only if that is chat', async (endpoint) => {
    const name = `bare-${kinds[endpoint]}`
    if (endpoint === 'chat' || endpoint === 'cursor') {
      expect(await servedBy(endpoint, name)).toBe(name)
      return
    }
    const reply = await call(client, endpoint, { model: name })
    expect([reply.status, reply.error.code]).toEqual([400, 'unknown_model'])
    expect(world.upstream.calls).toEqual([])
  })
})

describe('GET /v1/auth/key', () => {
  it('[ACCT-10] takes nothing of what its key may use', async () => {
    const { userId } = await world.createClient()
    const manager = world.as(await world.addKey(userId, { type: 'management' }))
    const made = await manager.post('/v1/keys', { name: 'capped', limit: 5, limit_reset: 'daily' })
    const capped = world.as(String(made.json.key))
    const remaining = async () => (await call(capped, 'embeddings')).headers.get('x-ratelimit-remaining')
    expect(await remaining()).toBe('99999')
    const before = [(await capped.get('/v1/key')).data, (await capped.get('/v1/credits')).data]
    for (let asked = 0; asked < 3; asked += 1) {
      const { status, data } = await capped.get('/v1/auth/key')
      expect(status).toBe(200)
      expect(data).toMatchObject({ label: 'capped', usage: before[0]?.usage, limit: 5, is_free_tier: false })
    }
    expect([(await capped.get('/v1/key')).data, (await capped.get('/v1/credits')).data]).toEqual(before)
    expect(await remaining()).toBe('99998')
  })
})
