import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isJsonObject, type JsonObject, objectAt } from '#lib/json.ts'
import type { Reply } from '#test/setup/reply.ts'
import { anthropicDocument } from '#test/simulators/protocols/anthropic/anthropic-document.ts'
import { faults } from '#test/simulators/scenarios/faults.ts'
import type { Scenario } from '#test/simulators/start-simulator.ts'
import { type ByokHome, byokPath, type ByokWorld, ownSecret, startByokWorld } from './byok-world.ts'

const failures = {
  'a refused key': faults.htmlError(401),
  'an error of its server': faults.serverError(),
  'a redirect': faults.redirect('http://127.0.0.1:1/'),
  'a broken connection': { kind: 'steps', steps: [{ do: 'reset' }] },
} satisfies Record<string, Scenario>

describe('calls with own upstream keys', () => {
  let world: ByokWorld
  let home: ByokHome
  beforeAll(async () => {
    world = await startByokWorld({ WEIR_BREAKER_FAILURES: '1000000' })
  })
  afterAll(() => world.close())
  beforeEach(async () => {
    home = await world.newByokHome()
    world.own.forget()
    world.platform.forget()
  })

  /** The requests since the start of the test: own key, platform. */
  const asked = (): [number, number] => [world.own.requests.length, world.platform.requests.length]

  it('[BYOK-13] go to the base URL, with the own key and under the mapped name', async () => {
    await home.addOwnKey()
    for (const stream of [false, true]) {
      const reply = await home.chat({ stream })
      expect(reply.status).toBe(200)
    }
    expect(asked()).toEqual([2, 0])
    const [request] = world.own.requests
    expect(request).toMatchObject({ method: 'POST', path: '/v1/chat/completions', body: { model: 'our-gpt' } })
    expect(request?.headers).toMatchObject({ authorization: `Bearer ${ownSecret}`, 'accept-encoding': 'identity' })
    expect((await home.chat({})).json['model']).toBe('openai/gpt-5.2')
  })

  it('[BYOK-13] are those of the organization and of a mapped model alone', async () => {
    await home.addOwnKey()
    expect((await home.chat({ model: 'openai/gpt-4o-mini' })).status).toBe(200)
    const stranger = await world.newByokHome()
    expect((await stranger.chat()).status).toBe(200)
    // A member's personal key does not belong to the organization.
    const personal = await world.createClient()
    expect((await home.chat({}, personal.key)).status).toBe(200)
    expect(asked()).toEqual([0, 3])
  })

  it('[BYOK-13] stay with the platform where the key or the mapping is disabled', async () => {
    const key = await home.addOwnKey()
    const path = `${byokPath}/${key['id']}`
    for (const [change, expected] of [
      [{ enabled: false }, [0, 1]],
      [{ enabled: true }, [1, 1]],
      [{ modelToggles: { 'openai/gpt-5.2': false } }, [1, 2]],
      [{ modelToggles: { 'openai/gpt-5.2': true } }, [2, 2]],
    ] as const) {
      await home.manager.patch(path, change)
      expect((await home.chat()).status).toBe(200)
      expect(asked()).toEqual(expected)
    }
  })

  it('[BYOK-14] are served for the scoped keys alone', async () => {
    const other = await world.addOrganizationKey(home.id)
    const key = await home.addOwnKey({ scopedApiKeyIds: [other.keyId] })
    await home.chat()
    expect(asked()).toEqual([0, 1])
    await home.chat({}, other.key)
    expect(asked()).toEqual([1, 1])
    await home.manager.patch(`${byokPath}/${key['id']}`, { scopedApiKeyIds: [] })
    await home.chat()
    expect(asked()).toEqual([2, 1])
  })

  it('D12: [BYOK-11] go on with the old key when a change that names another is refused', async () => {
    const key = await home.addOwnKey()
    const changed = await home.manager.patch(`${byokPath}/${key['id']}`, { apiKey: 'sk-another-0123456789' })
    expect([changed.status, changed.json.error]).toMatchObject([
      400,
      { code: 'unsupported_param', message: expect.stringContaining("`apiKey` can't be changed here.") },
    ])
    expect((await home.manager.get(`${byokPath}/${key['id']}`)).data).toMatchObject({ keyMask: key['keyMask'] })
    await home.chat()
    expect(world.own.requests[0]?.headers['authorization']).toBe(`Bearer ${ownSecret}`)
  })

  it('[BYOK-12] are served by the platform after the key is deleted', async () => {
    const key = await home.addOwnKey({ fallbackMode: 'strict' })
    const path = `${byokPath}/${key['id']}`
    expect((await home.manager.delete(path)).status).toBe(204)
    expect((await home.manager.get(path)).status).toBe(404)
    expect((await home.chat()).status).toBe(200)
    expect(asked()).toEqual([0, 1])
    const { rows } = await world.pool.query('SELECT FROM own_key_models WHERE own_key_id = $1', [key['id']])
    expect(rows).toEqual([])
    expect((await world.auditOf(home.id)).at(-1)).toMatchObject({ action: 'byok.key.delete', target_id: key['id'] })
  })

  it.each(Object.entries(failures))(
    '[BYOK-15] go on with the platform after %s, and are charged',
    async (_, failure) => {
      await home.addOwnKey()
      world.own.playNext(failure, failure)
      const reply = await home.chat()
      expect(reply.status).toBe(200)
      expect(asked()[1]).toBe(1)
      expect(usageOf(reply)['cost']).toBeGreaterThan(0)
      expect(usageOf(reply)).not.toHaveProperty('cost_details')
      expect(await generationOf(reply)).toMatchObject({ is_byok: false, is_failover: true })
      expect((await world.walletOf(home.walletId)).held).toBe('0')
    },
  )

  it.each(Object.entries(failures))(
    '[BYOK-15] end with an error after %s where the key is strict',
    async (_, failure) => {
      await home.addOwnKey({ fallbackMode: 'strict' })
      world.own.playNext(failure, failure)
      const reply = await home.chat({ stream: true })
      expect(reply.status).toBe(502)
      expect(reply.text).not.toContain(ownSecret)
      expect(asked()[1]).toBe(0)
      expect(await world.walletOf(home.walletId)).toMatchObject({ balance: '25', held: '0', charged: '0' })
    },
  )

  it('[BYOK-15] never reach the platform with a strict key, whatever the caller prefers', async () => {
    await home.addOwnKey({ fallbackMode: 'strict' })
    for (const provider of [{ only: ['openai'] }, { ignore: ['byok-openai'] }, { order: ['openai'] }]) {
      await home.chat({ provider })
    }
    expect(asked()[1]).toBe(0)
  })

  it('[BYOK-16] take nothing from the wallet and show what the provider bills', async () => {
    await home.addOwnKey()
    const platform = await (await world.newByokHome()).chat()
    const price = usageOf(platform)['cost']
    expect(usageOf(platform)).not.toHaveProperty('cost_details')
    for (const stream of [false, true]) {
      const reply = await home.chat({ stream })
      expect(usageOf(reply)).toMatchObject({ cost: 0, cost_details: { upstream_inference_cost: price } })
      expect(await generationOf(reply)).toMatchObject({
        is_byok: true,
        total_cost: 0,
        refund_reason: 'own_key',
        provider_name: expect.any(String),
      })
    }
    expect(await world.walletOf(home.walletId)).toEqual({ balance: '25', held: '0', charged: '0' })
  })

  it('[BYOK-16] show it in every dialect', async () => {
    await home.addOwnKey()
    const responses = await callAs(world, home.key.key, '/v1/responses', { model: 'openai/gpt-5.2', input: 'Hello' })
    expect(objectAt(responses, 'usage')).toMatchObject({
      cost: 0,
      cost_details: { upstream_inference_cost: expect.any(Number) },
    })
    const messages = { model: 'openai/gpt-5.2', max_tokens: 20, messages: [{ role: 'user', content: 'Hello' }] }
    const translated = await callAs(world, home.key.key, '/v1/messages', messages)
    expect(objectAt(translated, 'usage')).toMatchObject({
      weir_cost: 0,
      cost_details: { upstream_inference_cost: expect.any(Number) },
    })
    await home.addOwnKey({
      baseUrl: world.own.url,
      protocol: 'anthropic',
      modelMappings: [{ model: 'anthropic/claude-sonnet-4.6', upstreamModel: 'our-claude' }],
    })
    world.own.play(anthropicDocument({ kind: 'text', pieces: ['Hello'] }))
    const relayed = await callAs(world, home.key.key, '/v1/messages', {
      ...messages,
      model: 'anthropic/claude-sonnet-4.6',
    })
    world.own.play({ kind: 'echo' })
    expect(objectAt(relayed, 'usage')).toMatchObject({
      weir_cost: 0,
      cost_details: { upstream_inference_cost: expect.any(Number) },
    })
    expect(world.own.requests.at(-1)).toMatchObject({ path: '/v1/messages', body: { model: 'our-claude' } })
    expect(world.own.requests.at(-1)?.headers).toMatchObject({ 'x-api-key': ownSecret })
    expect(asked()[1]).toBe(0)
  })

  it('[BYOK-16] work for an organization without any credit, and then never on the platform', async () => {
    const poor = await world.newByokHome({ usd: '0' })
    await poor.addOwnKey()
    for (const stream of [false, true]) {
      const reply = await poor.chat({ stream })
      expect(reply.status, reply.text).toBe(200)
      expect(usageOf(reply)['cost']).toBe(0)
    }
    expect((await poor.chat({ model: 'openai/gpt-4o-mini' })).status).toBe(402)
    world.own.playNext(faults.serverError(), faults.serverError())
    expect((await poor.chat()).status).toBe(502)
    expect(asked()[1]).toBe(0)
  })

  it('note how the key is doing', async () => {
    const key = await home.addOwnKey()
    const health = async (): Promise<JsonObject> =>
      objectAt((await home.manager.get(`${byokPath}/${key['id']}`)).data, 'health')
    world.own.playNext(failures['a refused key'])
    await home.chat()
    await expect.poll(health).toMatchObject({
      status: 'failing',
      consecutiveFailures: 1,
      lastError: expect.stringContaining('401'),
    })
    await home.chat()
    await expect.poll(health).toMatchObject({ status: 'healthy', consecutiveFailures: 0, lastError: null })
  })

  it('are under the allowed models of the organization as ever', async () => {
    await home.addOwnKey()
    const allowed = await home.admin.patch(`/api/orgs/${home.id}/allowed-models`, {
      allowedModels: ['openai/gpt-4o-mini'],
    })
    expect(allowed.status).toBe(200)
    expect((await home.chat()).status).toBe(403)
    expect(asked()).toEqual([0, 0])
  })

  async function generationOf(reply: Reply): Promise<JsonObject> {
    const id = reply.headers.get('x-generation-id') ?? String(reply.json['id'])
    const { data } = await world.as(home.key.key).get(`/v1/generation?id=${id}`)
    return data
  }
})

async function callAs(world: ByokWorld, key: string, path: string, body: JsonObject): Promise<JsonObject> {
  const answer = await world.as(key).post(path, body)
  expect(answer.status, JSON.stringify(answer.json)).toBe(200)
  return answer.json
}

function usageOf({ json, chunks }: Reply): JsonObject {
  const usage = json['usage'] ?? chunks.at(-1)?.['usage']
  return isJsonObject(usage) ? usage : {}
}
