import { afterAll, beforeAll, expect, it } from 'vitest'
import { type KeyWorld, startKeyWorld } from '#test/keys/key-world.ts'
import { hello } from '#test/setup/call-chat.ts'
import type { Reply } from '#test/setup/reply.ts'

let world: KeyWorld
beforeAll(async () => {
  world = await startKeyWorld({}, { WEIR_LIMITS_CUSTOMERS_MAX: '2' })
})
afterAll(() => world.close())

it('[NEXT-11] refuses customers beyond the maximum of a wallet, and goes on serving the known ones', async () => {
  const owner = await world.createClient({ usd: '25' })
  const { key: manager } = await world.addKey(owner.userId, { type: 'management' })
  const create = (id: string) => world.send({ key: manager }, 'POST', '/v1/customers', { id })
  const callFor = (customer: string): Promise<Reply> => {
    const body = { model: 'openai/gpt-5.2', messages: hello, max_tokens: 500 }
    return world.as(owner).post('/v1/chat/completions', body, { headers: { 'x-weir-customer': customer } })
  }
  expect((await callFor('one')).status).toBe(200)
  expect((await create('two')).status).toBe(201)
  const upstreamCalls = world.upstream.requests.length
  for (const refused of [await callFor('three'), await create('three')]) {
    expect([refused.status, refused.json]).toMatchObject([
      403,
      { error: { code: 'too_many_customers', message: expect.stringContaining('at most 2 customers') } },
    ])
  }
  expect(world.upstream.requests).toHaveLength(upstreamCalls)
  expect((await callFor('one')).status).toBe(200)
  expect((await callFor('two')).status).toBe(200)
  expect((await create('two')).status).toBe(409)
  const other = await world.createClient({ usd: '25' })
  expect((await world.call(other, { max_tokens: 500 })).status).toBe(200)
})
