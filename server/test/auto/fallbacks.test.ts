import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { objectAt } from '#lib/json.ts'
import { serverError } from '#test/simulators/scenarios/error-faults.ts'
import { goodStream } from '#test/simulators/scenarios/good-stream.ts'
import { createTestClock } from '#test/setup/clock.ts'
import { type AutoWorld, greeting, startAutoWorld } from './auto-world.ts'

const six = [
  'openai/gpt-4o-mini',
  'openai/gpt-5.2',
  'openai/gpt-oss-20b',
  'deepseek/deepseek-v3.2',
  'qwen/qwen3-32b',
  'z-ai/glm-4.7',
]

const keepAliveMs = 400
// The test moves it, so no comment is sent because an upstream is slow to fail.
const clock = createTestClock(new Date().toISOString())
let world: AutoWorld

beforeAll(async () => {
  world = await startAutoWorld({ WEIR_STREAM_KEEP_ALIVE_MS: String(keepAliveMs) }, clock)
})
afterEach(() => {
  world.upstream.play({ kind: 'echo' })
  world.upstream.forget()
})
afterAll(() => world.close())

function fails(count: number): void {
  world.upstream.playNext(...Array.from({ length: count }, () => serverError()))
}

describe('the models of a tier', () => {
  it.each([false, true])('[AUTO-06] are tried in their order until one answers (stream: %s)', async (stream) => {
    await world.setTier('paid', 'simple', { models: six, enabled: true })
    for (const [count, model] of six.entries()) {
      world.upstream.forget()
      fails(count)
      const { key } = await world.createClient()
      const reply = await world.ask({ stream }, { key })
      expect(reply.status).toBe(200)
      expect(reply.headers.get('x-auto-resolved-model')).toBe(model)
      expect(stream ? reply.chunks[0]?.model : reply.json.model).toBe(model)
      expect(world.upstream.requests).toHaveLength(count + 1)
      const { attempts } = await world.routingOf(reply, key)
      expect(attempts).toMatchObject(six.slice(0, count + 1).map((tried) => ({ model: tried })))
    }
  })

  it('[AUTO-06] are at most six, and the order is that of the table', async () => {
    const reversed = six.toReversed()
    await world.setTier('paid', 'simple', { models: reversed })
    expect((await world.ask({})).json.model).toBe(reversed[0])
    const seven = [...six, 'mistralai/mistral-medium-3.1']
    await expect(world.setTier('paid', 'simple', { models: seven })).rejects.toThrow('up to 5 fallbacks')
  })

  it('[AUTO-06] that are gone from the catalogue are left out, and the record says so', async () => {
    await world.pool.query(
      `WITH moved AS (UPDATE revisions SET revision = revision + 1 WHERE topic = 'auto')
       UPDATE auto_tiers SET models = '{openai/gpt-4-32k,acme/never,openai/gpt-5.2}' WHERE table_name = 'paid' AND tier = 'simple'`,
    )
    await world.gateway.refresh()
    const { key } = await world.createClient()
    const reply = await world.ask({}, { key })
    expect(reply.json.model).toBe('openai/gpt-5.2')
    expect((await world.routingOf(reply, key)).excluded).toEqual([
      { model: 'openai/gpt-4-32k', provider: null, rule: 'retired' },
      { model: 'acme/never', provider: null, rule: 'retired' },
    ])
  })

  it('[AUTO-03] are named by the one that is asked when a stream begins with a comment', async () => {
    await world.setTier('paid', 'simple', { models: six })
    world.upstream.playNext(serverError(), {
      kind: 'steps',
      steps: [{ do: 'gate', name: 'slow' }, ...goodStream({}).steps],
    })
    const { key } = await world.createClient()
    const body = { model: 'auto', stream: true, messages: greeting }
    const opening = world.as(key).open('POST', '/v1/chat/completions', body)
    await world.upstream.waitForGate('slow')
    clock.forward(keepAliveMs)
    const response = await opening
    expect(response.headers.get('x-auto-resolved-model')).toBe(six[1])
    world.upstream.release('slow')
    expect(await response.text()).toContain(`"model":"${six[1]}"`)
  })
})

describe('a tier that does not serve', () => {
  it.each(['auto', 'auto:free'])(
    '[AUTO-07] refuses %s with 503 while it is disabled, and says which',
    async (model) => {
      const table = model === 'auto' ? 'paid' : 'free'
      const models = table === 'paid' ? six : ['google/gemma-3-27b-it:free']
      await world.setTier(table, 'simple', { models, enabled: false })
      const { key, walletId } = await world.createClient({ usd: '1' })
      for (const path of ['/v1/chat/completions', '/v1/messages']) {
        const reply = await world.ask({ model }, { key, path })
        expect(reply.status).toBe(503)
        expect(objectAt(reply.json, 'error').message).toContain('"simple"')
        expect(reply.headers.has('x-auto-resolved-model')).toBe(false)
      }
      expect(world.upstream.requests).toHaveLength(0)
      expect(await world.walletOf(walletId)).toMatchObject({ balance: '1', held: '0' })
      await world.setTier(table, 'simple', { enabled: true })
      expect((await world.ask({ model }, { key })).status).toBe(200)
    },
  )

  it('[AUTO-07] leaves the other tiers and the models by name alone', async () => {
    await world.setTier('paid', 'simple', { enabled: false })
    await world.setTier('paid', 'email', { models: ['openai/gpt-5.2'] })
    const messages = [{ role: 'user', content: 'Write an email to my landlord about the broken heating.' }]
    expect((await world.ask({ messages })).status).toBe(200)
    expect((await world.ask({ model: six[0] ?? '' })).status).toBe(200)
    await world.setTier('paid', 'simple', { enabled: true })
  })

  it('refuses with 503 while it has no models, too', async () => {
    const messages = [{ role: 'user', content: 'Prove that the square root of 2 is irrational.' }]
    const reply = await world.ask({ messages })
    expect(reply.status).toBe(503)
    expect(objectAt(reply.json, 'error').message).toContain('"reasoning"')
  })
})
