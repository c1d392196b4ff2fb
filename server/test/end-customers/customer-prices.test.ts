import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formatUsd, nanoUsd, parseUsd } from '#domain/money/nano-usd.ts'
import type { JsonObject } from '#lib/json.ts'
import { newUuid } from '#lib/uuid.ts'
import { customerPriceOf } from '#store/postgres/end-customers/customer-price.ts'
import { type KeyWorld, startKeyWorld } from '#test/keys/key-world.ts'
import { hello } from '#test/setup/call-chat.ts'
import { createTestClock } from '#test/setup/clock.ts'

// A request costs 0.006 and holds 0.006015.
const clock = createTestClock('2030-01-30T12:00:15Z')
let world: KeyWorld
beforeAll(async () => {
  world = await startKeyWorld(clock)
})
afterAll(() => world.close())

async function newOwner() {
  const owner = await world.createClient()
  const { key } = await world.addKey(owner.userId, { type: 'management' })
  return { ...owner, manager: { key } }
}

type Owner = Awaited<ReturnType<typeof newOwner>>

async function callFor(owner: Owner, customer: string): Promise<JsonObject> {
  const body = { model: 'openai/gpt-5.2', messages: hello, max_tokens: 500 }
  const reply = await world.as(owner).post('/v1/chat/completions', body, { headers: { 'x-weir-customer': customer } })
  expect(reply.status).toBe(200)
  const receipt = await world.as(owner).get(`/v1/generation?id=${reply.headers.get('x-generation-id') ?? ''}`)
  return receipt.json['data'] as JsonObject
}

const change = (owner: Owner, path: string, body: JsonObject) => world.send(owner.manager, 'PATCH', path, body)
const statementOf = (owner: Owner, query = '', customer = 'acme') =>
  world.send(owner.manager, 'GET', `/v1/customers/${customer}/statement?${query}`)

describe('the price of a customer', () => {
  it('[NEXT-23] is the cost with the markup of its time, and the wallet pays the cost', async () => {
    clock.set('2030-01-30T12:00:15Z')
    const owner = await newOwner()
    expect(await callFor(owner, 'acme')).toMatchObject({ total_cost: 0.006, customer_price: 0.006 })
    clock.set('2030-01-30T13:00:00Z')
    await change(owner, '/v1/customer-settings', { markup_basis_points: 1_000 })
    clock.set('2030-01-30T13:00:01Z')
    expect(await callFor(owner, 'acme')).toMatchObject({ total_cost: 0.006, customer_price: 0.0066 })
    await change(owner, '/v1/customers/acme', { markup_basis_points: 0 })
    clock.set('2030-01-30T13:00:02Z')
    expect(await callFor(owner, 'acme')).toMatchObject({ customer_price: 0.006 })
    expect(await callFor(owner, 'bolt')).toMatchObject({ customer_price: 0.0066 })
    const changed = await change(owner, '/v1/customers/acme', { markup_basis_points: null })
    expect(changed.data).toMatchObject({ markup_basis_points: null })
    clock.set('2030-01-30T13:00:03Z')
    expect(await callFor(owner, 'acme')).toMatchObject({ customer_price: 0.0066 })
    expect(await world.walletOf(owner.walletId)).toMatchObject({ charged: '0.03' })
    await world.expectSoundBooks()
  })

  it('[NEXT-23] is exact and rounded up, whatever the cost and the markup', async () => {
    const statement = `SELECT ${customerPriceOf('g')} AS price
      FROM (SELECT $1::bigint AS cost_nano, $2::uuid AS end_customer_id, $3::uuid AS wallet_id, now() AS started_at) AS g`
    const sample = fc.record({
      cost: fc.bigInt({ min: 0n, max: 1_000_000_000_000_000n }),
      markup: fc.integer({ min: 0, max: 100_000 }),
    })
    const property = fc.asyncProperty(sample, async ({ cost, markup }) => {
      const [customer, wallet] = [newUuid(Date.now()), newUuid(Date.now())]
      await world.pool.query(`INSERT INTO customer_markups VALUES ($1, '2000-01-01', $2)`, [customer, markup])
      const { rows } = await world.pool.query<{ price: string }>(statement, [cost, customer, wallet])
      const exact = cost * BigInt(10_000 + markup)
      expect(BigInt(rows[0]?.price ?? '-1')).toBe(exact / 10_000n + (exact % 10_000n === 0n ? 0n : 1n))
    })
    await fc.assert(property, { numRuns: 40 })
  })

  it('[NEXT-23] has a markup from 0 to 100,000 basis points', async () => {
    const owner = await newOwner()
    await callFor(owner, 'acme')
    for (const markup of [-1, 100_001, 2.5, '10']) {
      const body = { markup_basis_points: markup }
      expect((await change(owner, '/v1/customers/acme', body)).status).toBe(400)
      expect((await change(owner, '/v1/customer-settings', body)).status).toBe(400)
    }
    expect((await change(owner, '/v1/customer-settings', { markup_basis_points: null })).status).toBe(400)
  })
})

describe('a statement', () => {
  it('[NEXT-24] adds up the prices of the requests by day and model, as JSON and CSV', async () => {
    clock.set('2030-01-30T23:59:59Z')
    const owner = await newOwner()
    await change(owner, '/v1/customer-settings', { markup_basis_points: 1_234 })
    clock.set('2030-01-30T23:59:59.500Z')
    const prices = [await callFor(owner, 'acme'), await callFor(owner, 'acme')]
    clock.set('2030-01-31T00:00:01Z')
    prices.push(await callFor(owner, 'acme'))
    await callFor(owner, 'bolt')
    const { json } = await statementOf(owner)
    expect(json).toMatchObject({
      data: [
        { date: '2030-01-30', model: 'openai/gpt-5.2', requests: 2, price: 0.0134808 },
        { date: '2030-01-31', model: 'openai/gpt-5.2', requests: 1, price: 0.0067404 },
      ],
      total: { requests: 3, price: 0.0202212 },
    })
    const listed = await world.send(owner, 'GET', '/v1/generations?customer=acme')
    const shown = [...prices, ...(listed.json['data'] as JsonObject[])].map(({ customer_price: price }) =>
      parseUsd(String(price)),
    )
    expect(formatUsd(nanoUsd(shown.reduce((sum, price) => sum + price, 0n)))).toBe('0.0404424')
    const day = await statementOf(owner, 'from=2030-01-31&to=2030-01-31')
    expect(day.json).toMatchObject({ data: [{ date: '2030-01-31' }], total: { requests: 1 } })
    const csv = await statementOf(owner, 'format=csv&to=2030-01-30')
    expect(csv.headers.get('content-type')).toContain('text/csv')
    expect(csv.text.replace('\uFEFF', '').split('\r\n').slice(0, 2)).toEqual([
      'date,model,requests,tokens,price_usd',
      expect.stringMatching(/^2030-01-30,openai\/gpt-5\.2,2,\d+,0\.0134808$/),
    ])
  })

  it('[NEXT-24] is of at most 31 days that are kept, and of own customers only', async () => {
    clock.set('2030-01-31T12:00:00Z')
    const [owner, other] = [await newOwner(), await newOwner()]
    await callFor(other, 'acme')
    expect((await statementOf(owner)).status).toBe(404)
    expect((await statementOf(other, 'from=2029-12-31&to=2030-01-31')).status).toBe(400)
    expect((await statementOf(other, 'from=2030-01-01&to=2030-01-31')).status).toBe(200)
    await world.pool.query(`UPDATE rollup_state SET retained_from = '2029-06-01'`)
    const dropped = await statementOf(other, 'from=2029-05-31&to=2029-06-01')
    expect([dropped.status, dropped.text]).toEqual([400, expect.stringContaining('2029-06-01 or later')])
    expect((await statementOf(other, 'from=2029-06-01&to=2029-06-01')).status).toBe(200)
    expect((await statementOf(other, 'format=pdf')).status).toBe(400)
  })
})

it('[NEXT-25] customers that a request creates get the default limits of the wallet', async () => {
  clock.set('2030-01-30T12:00:15Z')
  const owner = await newOwner()
  await callFor(owner, 'early')
  const before = await world.send(owner.manager, 'GET', '/v1/customer-settings')
  expect(before.data).toEqual({ daily_limit: null, monthly_limit: null, total_limit: null, markup_basis_points: 0 })
  const set = await change(owner, '/v1/customer-settings', { daily_limit: 0.01, total_limit: 5 })
  expect(set.data).toEqual({ daily_limit: 0.01, monthly_limit: null, total_limit: 5, markup_basis_points: 0 })
  await callFor(owner, 'late')
  const limitsOf = async (customer: string) =>
    (await world.send(owner.manager, 'GET', `/v1/customers/${customer}`)).data
  expect(await limitsOf('late')).toMatchObject({ daily_limit: 0.01, monthly_limit: null, total_limit: 5 })
  expect(await limitsOf('early')).toMatchObject({ daily_limit: null, total_limit: null })
  const body = { model: 'openai/gpt-5.2', messages: hello, max_tokens: 500 }
  const second = await world.as(owner).post('/v1/chat/completions', body, { headers: { 'x-weir-customer': 'late' } })
  expect(second.status).toBe(402)
  await world.send(owner.manager, 'POST', '/v1/customers', { id: 'made' })
  expect(await limitsOf('made')).toMatchObject({ daily_limit: null, total_limit: null })
  const entries = await world.auditOf(owner.walletId)
  expect(entries.map(({ action }) => action)).toEqual(['end_customer.settings.update'])
})
