import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { type KeyWorld, startKeyWorld } from '#test/keys/key-world.ts'
import { hello } from '#test/setup/call-chat.ts'
import type { Reply } from '#test/setup/reply.ts'

// The upstream reports 500 tokens, which cost 0.006, whatever cap it is sent.
let world: KeyWorld
let caller: Awaited<ReturnType<KeyWorld['createClient']>>
beforeAll(async () => {
  world = await startKeyWorld()
  caller = await world.createClient({ usd: '25' })
})
afterAll(() => world.close())

function ask(body: JsonObject, header?: string): Promise<Reply> {
  const headers = header === undefined ? {} : { 'x-weir-max-cost': header }
  return world
    .as(caller)
    .post('/v1/chat/completions', { model: 'openai/gpt-5.2', messages: hello, ...body }, { headers })
}

async function lastRecord() {
  const { rows } = await world.pool.query<{ held_nano: string; cost_nano: string; absorbed_nano: string }>(
    'SELECT held_nano, cost_nano, absorbed_nano FROM generations WHERE wallet_id = $1 ORDER BY id DESC LIMIT 1',
    [caller.walletId],
  )
  const [row] = rows
  return { held: Number(row?.held_nano), cost: Number(row?.cost_nano), absorbed: Number(row?.absorbed_nano) }
}

const sentBody = () => world.upstream.requests.at(-1)?.body as JsonObject
const capOf = (body: JsonObject) => Number(body['max_completion_tokens'] ?? body['max_tokens'])

describe('the maximum cost of a request', () => {
  it.each([
    ['in the body', { max_cost_usd: 0.003 }, undefined],
    ['in the header', {}, '0.003'],
    ['in both, the header smaller', { max_cost_usd: 5 }, '0.003'],
    ['in both, the body smaller', { max_cost_usd: '0.003' }, '5'],
  ])('[NEXT-90][NEXT-91] %s caps output, hold and charge', async (_place, body, header) => {
    for (const max_tokens of [500, undefined]) {
      const reply = await ask({ ...body, ...(max_tokens === undefined ? {} : { max_tokens }) }, header)
      expect(reply.status, reply.text).toBe(200)
      expect(reply.json['usage']).toMatchObject({ cost: 0.002991 })
      expect(capOf(sentBody())).toBeGreaterThan(200)
      expect(capOf(sentBody())).toBeLessThan(250)
      expect(sentBody()).not.toHaveProperty('max_cost_usd')
      const { held, cost, absorbed } = await lastRecord()
      // The whole hold, because the upstream ignored its cap. The operator bears the rest.
      expect({ held, cost, absorbed }).toEqual({ held: 2_991_000, cost: 2_991_000, absorbed: 3_009_000 })
    }
    await world.expectSoundBooks()
  })

  it('[NEXT-90] changes nothing where it is enough', async () => {
    const reply = await ask({ max_tokens: 500, max_cost_usd: 0.006015 })
    expect(reply.status, reply.text).toBe(200)
    expect(capOf(sentBody())).toBe(500)
    expect(await lastRecord()).toEqual({ held: 6_015_000, cost: 6_000_000, absorbed: 0 })
  })

  it('[NEXT-92] that nothing fits is refused before any provider is asked', async () => {
    const asked = world.upstream.requests.length
    const reply = await ask({ max_tokens: 500, max_cost_usd: 0.00001 })
    expect(reply.status).toBe(400)
    expect(reply.json['error']).toMatchObject({
      code: 'max_cost_too_low',
      message: expect.stringMatching(
        /^No provider can serve this request for at most \$0\.00001: even the shortest response can cost \$0\.000\d+\.$/,
      ),
    })
    expect(world.upstream.requests).toHaveLength(asked)
    expect(await world.walletOf(caller.walletId)).toMatchObject({ held: '0' })
  })

  it.each([0, -1, 'cheap', true])('%j is refused', async (value) => {
    const reply = await ask({ max_cost_usd: value })
    expect([reply.status, reply.json['error']]).toMatchObject([
      400,
      { message: expect.stringContaining('max_cost_usd') },
    ])
  })
})
