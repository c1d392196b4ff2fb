import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isJsonObject, type JsonValue } from '#lib/json.ts'
import type { TestGateway } from '#test/setup/gateway.ts'
import { type Simulator, startSimulator } from '#test/simulators/start-simulator.ts'
import { ask, endpointNames, modelRecord, startResolutionGateway } from './resolution-world.ts'

describe('routes', () => {
  let gateway: TestGateway
  let hosts: Record<'exact' | 'author' | 'global', Simulator>
  let key: string

  beforeAll(async () => {
    gateway = await startResolutionGateway([modelRecord('acme/one'), modelRecord('acme/two'), modelRecord('else/one')])
    hosts = { exact: await startSimulator(), author: await startSimulator(), global: await startSimulator() }
    await gateway.addProvider({ vendor: 'together', name: 'global', url: `${hosts.global.url}/v1`, pattern: '*' })
    await gateway.addProvider({ vendor: 'together', name: 'author', url: `${hosts.author.url}/v1`, pattern: 'acme/*' })
    await gateway.addProvider({ vendor: 'together', name: 'exact', url: `${hosts.exact.url}/v1`, pattern: 'acme/one' })
    key = (await gateway.createClient()).key
  })
  afterAll(async () => {
    await gateway.close()
    for (const host of Object.values(hosts)) await host.close()
  })

  async function servedBy(model: string): Promise<string[]> {
    for (const host of Object.values(hosts)) host.forget()
    await ask(gateway.as(key), 'chat', model)
    return Object.entries(hosts).flatMap(([name, host]) => (host.requests.length > 0 ? [name] : []))
  }

  it('[ROUTE-05] for exactly the model come before those for its author', async () => {
    expect(await servedBy('acme/one')).toEqual(['exact'])
  })

  it('[ROUTE-06] for the author come before the one for all, which has the rest', async () => {
    expect(await servedBy('acme/two')).toEqual(['author'])
    expect(await servedBy('else/one')).toEqual(['global'])
    expect(await servedBy('qwen/qwen3-32b')).toEqual(['global'])
  })

  it.each(['floor', 'nitro', 'online', 'floor:online', 'online:nitro'])(
    '[ROUTE-13] of the plain id serve it with :%s',
    async (suffix) => {
      expect(await servedBy(`acme/one:${suffix}`)).toEqual(['exact'])
      expect(await servedBy(`acme/two:${suffix}`)).toEqual(['author'])
    },
  )

  it('[ROUTE-07] serve no model that the catalogue does not have, not even the one for all', async () => {
    expect(await servedBy('acme/three')).toEqual([])
    expect((await ask(gateway.as(key), 'chat', 'acme/three')).status).toBe(400)
  })
})

describe('without any route', () => {
  let gateway: TestGateway
  let plain: Simulator
  let searching: Simulator
  let key: string

  beforeAll(async () => {
    gateway = await startResolutionGateway([])
    plain = await startSimulator()
    searching = await startSimulator()
    await gateway.addProvider({ vendor: 'openai', url: `${plain.url}/v1`, credential: 'sk-default' })
    key = (await gateway.createClient()).key
  })
  afterAll(async () => {
    await gateway.close()
    await plain.close()
    await searching.close()
  })

  const call = (model: string, body = {}) => ask(gateway.as(key), 'chat', model, body)

  it('[ROUTE-07] the default key of the provider serves what the catalogue has, and nothing else', async () => {
    expect((await call('openai/gpt-5.2')).status).toBe(200)
    expect(plain.requests[0]?.headers['authorization']).toBe('Bearer sk-default')
    plain.forget()
    expect((await call('openai/gpt-99')).status).toBe(400)
    expect((await call('gpt-99')).status).toBe(400)
    expect((await call('qwen/qwen3-32b')).status).toBe(503)
    expect(plain.requests).toEqual([])
  })

  it('[ROUTE-12] :online is served by who can not search where nobody else is there, and says what was left out', async () => {
    plain.forget()
    const { status, headers } = await call('openai/gpt-5.2:online')
    expect(status).toBe(200)
    expect(headers.get('x-params-ignored')).toContain('plugins')
    expect(pluginsSeen(plain)).toBeUndefined()
  })

  it('[ROUTE-12] :online goes to a host with plugins and switches the web plugin on, on every endpoint', async () => {
    await gateway.addProvider({ vendor: 'openrouter', url: `${searching.url}/v1` })
    for (const endpoint of endpointNames) {
      searching.forget()
      plain.forget()
      const { status, json } = await ask(gateway.as(key), endpoint, 'gpt-5.2:online')
      expect({ endpoint, status, model: json.model }).toEqual({ endpoint, status: 200, model: 'openai/gpt-5.2' })
      expect(pluginsSeen(searching), endpoint).toEqual([{ id: 'web' }])
      expect(plain.requests, endpoint).toEqual([])
    }
    // Without the suffix nothing changes for a new conversation.
    const fresh = await gateway.createClient()
    expect((await ask(gateway.as(fresh), 'chat', 'openai/gpt-5.2')).status).toBe(200)
    expect(plain.requests).toHaveLength(1)
  })

  it('[ROUTE-12] :online leaves the plugins that the caller has set up as they are', async () => {
    const plugins = [{ id: 'file-parser' }, { id: 'web', max_results: 3 }]
    searching.forget()
    await call('openai/gpt-5.2:online', { plugins })
    expect(pluginsSeen(searching)).toEqual(plugins)
    searching.forget()
    await call('openai/gpt-5.2:online', { plugins: plugins.slice(0, 1) })
    expect(pluginsSeen(searching)).toEqual([{ id: 'file-parser' }, { id: 'web' }])
  })
})

function pluginsSeen(host: Simulator): JsonValue | undefined {
  const body = host.requests[0]?.body
  return isJsonObject(body) ? body.plugins : undefined
}
