import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { engageBrake, releaseBrake } from '#control/operators/brake.ts'
import { operatorAuthor } from '#control/operators/platform-entry.ts'
import type { JsonValue } from '#lib/json.ts'
import { createPostgresOperators } from '#store/postgres/operators/postgres-operators.ts'
import { type MoneyWorld, startMoneyWorld } from '#test/money/money-world.ts'

let world: MoneyWorld

beforeAll(async () => {
  world = await startMoneyWorld()
})
afterAll(() => world.close())
beforeEach(() => world.upstream.forget())

describe('the global spend brake', () => {
  it.each([30, 300])(
    '[LIMIT-11] answers inference with 503 and Retry-After %i until it is released',
    async (retryAfterS) => {
      const caller = await world.createClient()
      const { operators } = createPostgresOperators(world.pool)
      await engageBrake(operators, { retryAfterS, reason: 'drill' }, operatorAuthor(Date.now()))
      await world.gateway.refresh()
      for (const stream of [true, false]) {
        const reply = await world.call(caller, { stream })
        expect(reply.status).toBe(503)
        expect(reply.json).toMatchObject({ error: { code: 503 } })
        expect(reply.headers.get('retry-after')).toBe(String(retryAfterS))
        expect(reply.text).not.toContain('drill')
      }
      expect(world.upstream.requests).toHaveLength(0)
      expect(await world.get(caller, '/v1/credits')).toMatchObject({ total_credits: 25 })
      await releaseBrake(operators, operatorAuthor(Date.now()))
      await world.gateway.refresh()
      expect((await world.call(caller, {})).status).toBe(200)
      await world.expectSoundBooks()
    },
  )
})

describe('a body', () => {
  it('[LIMIT-12] over 10 MB is answered 413 and reaches no upstream', async () => {
    const caller = await world.createClient()
    const reply = await world.call(caller, { messages: messages(10 * 1_024 * 1_024) })
    expect(reply.status).toBe(413)
    expect(reply.json).toMatchObject({ error: { code: 413 } })
    expect(world.upstream.requests).toHaveLength(0)
  })

  it('[LIMIT-12] over 10 MB that does not say its length is answered 413 as well', async () => {
    const caller = await world.createClient()
    const text = JSON.stringify({ model: 'openai/gpt-5.2', messages: messages(11 * 1_024 * 1_024) })
    const response = await world.as(caller).post('/v1/chat/completions', new Blob([text]).stream())
    expect(response.status).toBe(413)
    expect(world.upstream.requests).toHaveLength(0)
  })

  it.each([
    [65, 400],
    [64, 200],
  ])('[LIMIT-13] nested %i levels deep is answered %i', async (levels, status) => {
    const caller = await world.createClient()
    // The body itself is one level, and so is the object inside.
    const deep = '['.repeat(levels - 2) + ']'.repeat(levels - 2)
    const body = `{"model":"openai/gpt-5.2","messages":[{"role":"user","content":"Hi"}],"metadata":{"a":${deep}}}`
    const response = await world.as(caller).post('/v1/chat/completions', body)
    expect(response.status).toBe(status)
    expect(world.upstream.requests).toHaveLength(status === 200 ? 1 : 0)
  })
})

function messages(length: number): JsonValue {
  return [{ role: 'user', content: 'x'.repeat(length) }]
}
