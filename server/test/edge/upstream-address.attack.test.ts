import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { type ChatWorld, startChatWorld } from '#test/chat/chat-world.ts'
import { faults } from '#test/simulators/scenarios/faults.ts'
import { type Simulator, startSimulator } from '#test/simulators/start-simulator.ts'

const names = [
  'api_base',
  'base_url',
  'baseUrl',
  'baseURL',
  'custom_host',
  'api_host',
  'endpoint',
  'proxy',
  'host',
  'url',
]

describe('a caller who names an upstream address', () => {
  let world: ChatWorld
  let canary: Simulator
  let calls = 0
  beforeAll(async () => {
    world = await startChatWorld({ WEIR_BREAKER_FAILURES: '1000' })
    canary = await startSimulator()
  })
  afterAll(async () => {
    await world.close()
    await canary.close()
  })
  beforeEach(() => {
    world.forget()
    calls = 0
  })

  /** Our upstream receives every request, with our credential and only from us; the canary sees nothing. */
  async function expectIgnored(body: JsonObject, options: Parameters<ChatWorld['chat']>[1] = {}): Promise<void> {
    const reply = await world.chat(body, options)
    calls += 1
    expect(reply.status, reply.text).toBe(200)
    expect(world.openai.requests).toHaveLength(calls)
    expect(world.openai.requests.at(-1)).toMatchObject({
      path: '/v1/chat/completions',
      headers: { authorization: 'Bearer upstream-secret' },
    })
    expect(canary.requests).toEqual([])
    expect(canary.openConnections()).toBe(0)
  }

  it('is not listened to in the body', async () => {
    for (const name of names) await expectIgnored({ [name]: canary.url })
    const nested = Object.fromEntries(names.map((name) => [name, canary.url]))
    for (const name of ['provider', 'extra_body', 'metadata', 'config', 'litellm_params']) {
      await expectIgnored({ [name]: nested })
    }
  })

  it('is not listened to in the query', async () => {
    const query = names.map((name) => `${name}=${encodeURIComponent(canary.url)}`).join('&')
    await expectIgnored({}, { path: `/v1/chat/completions?${query}` })
  })

  it('is not listened to in headers, and none of them travels on', async () => {
    const prefixes = ['', 'x-', 'x-portkey-', 'x-litellm-', 'helicone-']
    const headers: Record<string, string> = { 'x-forwarded-host': canary.url, 'x-api-key': 'of-the-caller' }
    for (const prefix of prefixes) {
      for (const name of names.filter((each) => each !== 'host')) {
        headers[`${prefix}${name.replaceAll('_', '-').toLowerCase()}`] = canary.url
      }
    }
    await expectIgnored({}, { headers })
    const seen = Object.entries(world.openai.requests.at(-1)?.headers ?? {})
    const own = new Set([
      'accept',
      'accept-encoding',
      'authorization',
      'connection',
      'content-length',
      'content-type',
      'host',
      'user-agent',
    ])
    expect(seen.map(([name]) => name).filter((name) => !own.has(name))).toEqual([])
    expect(JSON.stringify(seen)).not.toContain(new URL(canary.url).port)
  })

  it('is not fetched for an image, a file or a video', async () => {
    const parts = [
      image(`${canary.url.replace('http:', 'https:')}/a.png`),
      image(`${canary.url}/a.png`),
      { type: 'video_url', video_url: { url: `${canary.url}/a.mp4` } },
    ]
    await expectIgnored({ messages: [{ role: 'user', content: parts }] })
    expect(canary.requests).toEqual([])
  })

  it('is not followed when the upstream redirects there', async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      world.openai.playNext(
        faults.redirect(`${canary.url}/v1/chat/completions`, status),
        faults.redirect(canary.url, status),
      )
      const reply = await world.chat({})
      expect(reply.status).toBe(502)
      expect(reply.text).not.toContain(new URL(canary.url).port)
      world.forget()
    }
    expect(canary.requests).toEqual([])
  })
})

function image(url: string) {
  return { type: 'image_url', image_url: { url } }
}
