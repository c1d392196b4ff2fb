import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operatorAuthor } from '#control/operators/platform-entry.ts'
import type { JsonObject } from '#lib/json.ts'
import { erasePerson } from '#store/postgres/people/erase-person.ts'
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

async function newOwner(usd = '25') {
  const owner = await world.createClient({ usd })
  const { key } = await world.addKey(owner.userId, { type: 'management' })
  return { ...owner, manager: { key } }
}

type Owner = Awaited<ReturnType<typeof newOwner>>

function callFor(owner: Owner, customer: string | null = 'acme') {
  const headers = customer === null ? {} : { 'x-weir-customer': customer }
  const body = { model: 'openai/gpt-5.2', messages: hello, max_tokens: 500 }
  return world.as(owner).post('/v1/chat/completions', body, { headers })
}

function transfer(owner: Owner, body: JsonObject, options: { customer?: string; key?: string } = {}) {
  const headers = options.key === undefined ? {} : { 'idempotency-key': options.key }
  return world.as(owner.manager).post(`/v1/customers/${options.customer ?? 'acme'}/transfers`, body, { headers })
}

const change = (owner: Owner, body: JsonObject) => world.send(owner.manager, 'PATCH', '/v1/customers/acme', body)
const create = (owner: Owner, body: JsonObject = {}) =>
  world.send(owner.manager, 'POST', '/v1/customers', { id: 'acme', ...body })
const customerOf = async (owner: Owner) => (await world.send(owner.manager, 'GET', '/v1/customers/acme')).data
const walletOf = async (owner: Owner) => (await world.send(owner.manager, 'GET', `/api/wallets/${owner.walletId}`)).data

describe('a transfer', () => {
  it('[NEXT-26] moves money to a customer and back, and both sides show it', async () => {
    const owner = await newOwner()
    await create(owner)
    expect(await customerOf(owner)).toMatchObject({ prepaid: false, balance: null, balance_held: null })
    const added = await transfer(owner, { amount: 5.000000001, to: 'customer' })
    expect([added.status, added.data]).toMatchObject([
      201,
      { customer: { id: 'acme', prepaid: true, balance: 5.000000001, balance_held: 0 } },
    ])
    expect(await walletOf(owner)).toMatchObject({
      balance: 25,
      held: 5.000000001,
      in_customer_balances: 5.000000001,
      available: 19.999999999,
    })
    expect((await world.send(owner, 'GET', '/v1/credits')).data).toMatchObject({
      total_credits: 25,
      in_customer_balances: 5.000000001,
    })
    clock.forward(1) // Transfers are listed by the milliseconds of their ids.
    const back = await transfer(owner, { amount: 2, to: 'wallet' })
    expect(back.data).toMatchObject({ customer: { balance: 3.000000001 } })
    const listed = await world.send(owner.manager, 'GET', `/api/wallets/${owner.walletId}/transactions`)
    expect((listed.json['data'] as JsonObject[]).slice(0, 2)).toMatchObject([
      { kind: 'customer_transfer', amount: 0, moved: 2, debit: 'customers', credit: 'wallet', balance_after: 25 },
      { kind: 'customer_transfer', amount: 0, moved: 5.000000001, debit: 'wallet', credit: 'customers' },
    ])
    const month = new Date().toISOString().slice(0, 7)
    const statement = await world.send(owner.manager, 'GET', `/api/wallets/${owner.walletId}/statement?month=${month}`)
    expect(statement.status).toBe(200)
    expect(
      (await world.auditOf(await idOf(owner))).map(({ action, before, after }) => [action, before, after]),
    ).toEqual([
      ['end_customer.create', null, expect.anything()],
      ['end_customer.transfer', { prepaid: false, balance: 0 }, { prepaid: true, balance: 5.000000001 }],
      ['end_customer.transfer', { prepaid: true, balance: 5.000000001 }, { prepaid: true, balance: 3.000000001 }],
    ])
    await world.expectSoundBooks()
  })

  it('[NEXT-122] is listed by page, newest first, without charges and transfers of others', async () => {
    const [owner, other] = [await newOwner(), await newOwner()]
    for (const one of [owner, other]) {
      await create(one)
      await transfer(one, { amount: 1, to: 'customer' })
    }
    clock.forward(1)
    await transfer(owner, { amount: 0.25, to: 'wallet' })
    expect((await callFor(owner)).status).toBe(200)
    clock.forward(1)
    await transfer(owner, { amount: 0.000000001, to: 'customer' })
    await transfer(owner, { amount: 1, to: 'customer' }, { customer: 'nobody' })
    const list = async (query = '') =>
      (await world.send(owner.manager, 'GET', `/v1/customers/acme/transfers${query}`)).json
    const whole = await list()
    const entry = { transaction_id: expect.any(String), created_at: expect.any(String) }
    expect(whole).toEqual({
      data: [
        { ...entry, to: 'customer', amount: 0.000000001 },
        { ...entry, to: 'wallet', amount: 0.25 },
        { ...entry, to: 'customer', amount: 1 },
      ],
      next_cursor: null,
    })
    const entries = whole['data'] as JsonObject[]
    const page = await list('?limit=2')
    expect(page).toEqual({ data: entries.slice(0, 2), next_cursor: entries[1]?.['transaction_id'] })
    expect(await list(`?limit=2&cursor=${String(page['next_cursor'])}`)).toEqual({
      data: entries.slice(2),
      next_cursor: null,
    })
    const statusOf = async (path: string, as = owner.manager) => (await world.send(as, 'GET', path)).status
    expect(await statusOf('/v1/customers/nobody/transfers')).toBe(404)
    expect(await statusOf('/v1/customers/acme/transfers?cursor=1')).toBe(400)
    expect(await statusOf('/v1/customers/acme/transfers', { key: owner.key })).toBe(403)
  })

  it('[NEXT-26] takes from neither side more than is available', async () => {
    const owner = await newOwner('1')
    await create(owner)
    const tooMuch = await transfer(owner, { amount: 1.000000001, to: 'customer' })
    expect([tooMuch.status, tooMuch.text]).toEqual([402, expect.stringContaining('Only $1 of the wallet is available')])
    const none = await transfer(owner, { amount: 1, to: 'wallet' })
    expect([none.status, none.text]).toEqual([409, expect.stringContaining('paid from the wallet')])
    expect((await transfer(owner, { amount: 1, to: 'customer' })).status).toBe(201)
    const back = await transfer(owner, { amount: 1.000000001, to: 'wallet' })
    expect([back.status, back.text]).toEqual([
      409,
      expect.stringContaining("Only $1 of the customer's balance is free"),
    ])
    for (const body of [
      { amount: 0, to: 'wallet' },
      { amount: -1, to: 'wallet' },
      { amount: '1', to: 'wallet' },
      { to: 'wallet' },
      { amount: 1, to: 'me' },
      { amount: 1 },
    ]) {
      expect((await transfer(owner, body as JsonObject)).status, JSON.stringify(body)).toBe(400)
    }
    expect(await customerOf(owner)).toMatchObject({ balance: 1 })
    await world.expectSoundBooks()
  })

  it('[NEXT-26] moves nothing when it is retried with its key, even concurrently', async () => {
    const owner = await newOwner()
    await create(owner)
    const key = randomUUID()
    const [one, other] = await Promise.all([
      transfer(owner, { amount: 1, to: 'customer' }, { key }),
      transfer(owner, { amount: 1, to: 'customer' }, { key }),
    ])
    expect([one.status, other.status]).toEqual([201, 201])
    expect((one.data as JsonObject)['transaction_id']).toBe((other.data as JsonObject)['transaction_id'])
    expect((await transfer(owner, { amount: 2, to: 'customer' }, { key })).status).toBe(409)
    expect(await customerOf(owner)).toMatchObject({ balance: 1 })
    const refused = randomUUID()
    expect((await transfer(owner, { amount: 30, to: 'customer' }, { key: refused })).status).toBe(402)
    await transfer(owner, { amount: 1, to: 'wallet' })
    expect(await customerOf(owner)).toMatchObject({ balance: 0, prepaid: true })
  })

  it('[NEXT-26] needs a customer of the account', async () => {
    const [owner, other] = [await newOwner(), await newOwner()]
    await create(other)
    const unknown = await transfer(owner, { amount: 1, to: 'customer' }, { customer: 'unknown' })
    const foreign = await transfer(owner, { amount: 1, to: 'customer' })
    expect([unknown.status, foreign.status]).toEqual([404, 404])
    expect(await customerOf(other)).toMatchObject({ prepaid: false })
  })
})

describe('a prepaid customer', () => {
  it('[NEXT-27] pays the cost from its balance alone, and gets a clear error when it is too low', async () => {
    const owner = await newOwner()
    await create(owner)
    await change(owner, { markup_basis_points: 5_000 })
    await transfer(owner, { amount: 0.013, to: 'customer' })
    expect((await callFor(owner)).status).toBe(200)
    expect(await customerOf(owner)).toMatchObject({ balance: 0.007, balance_held: 0, spent: 0.006 })
    expect((await callFor(owner)).status).toBe(200)
    const upstreamCalls = world.upstream.requests.length
    const refused = await callFor(owner)
    expect([refused.status, refused.text]).toEqual([402, expect.stringContaining('customer_balance_too_low')])
    expect(refused.text).toContain(
      "The customer's prepaid balance has been used up. This request needs to reserve $0.006015, but only $0.001 is left",
    )
    expect(world.upstream.requests.length).toBe(upstreamCalls)
    expect((await callFor(owner, null)).status).toBe(200)
    expect(await walletOf(owner)).toMatchObject({ balance: 24.982, held: 0.001, in_customer_balances: 0.001 })
    await world.expectSoundBooks()
  })

  it('[NEXT-27] leaves the money of the wallet alone, and is served when the wallet has nothing else', async () => {
    const owner = await newOwner('0.02')
    await create(owner)
    await transfer(owner, { amount: 0.02, to: 'customer' })
    expect((await callFor(owner, null)).status).toBe(402)
    expect((await callFor(owner, 'other')).status).toBe(402)
    expect((await callFor(owner)).status).toBe(200)
    await world.expectSoundBooks()
  })

  it('[NEXT-27] never spends more than its balance, however many requests run at once', async () => {
    const owner = await newOwner()
    await create(owner)
    await transfer(owner, { amount: 0.05, to: 'customer' })
    const replies = await Promise.all(Array.from({ length: 40 }, () => callFor(owner)))
    expect(replies.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(8)
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 402]))
    const { balance } = (await customerOf(owner)) as { balance: number }
    expect(balance).toBeGreaterThanOrEqual(0)
    await world.expectSoundBooks()
  })

  it('[NEXT-29] becomes prepaid by a setting or its first transfer, until it is unset with an empty balance', async () => {
    const owner = await newOwner()
    expect((await create(owner, { prepaid: true })).data).toMatchObject({ prepaid: true, balance: 0, balance_held: 0 })
    expect((await callFor(owner)).status).toBe(402)
    expect((await change(owner, { prepaid: false })).data).toMatchObject({ prepaid: false, balance: null })
    expect((await callFor(owner)).status).toBe(200)
    await transfer(owner, { amount: 1, to: 'customer' })
    const kept = await change(owner, { prepaid: false })
    expect([kept.status, kept.text]).toEqual([409, expect.stringContaining('Take the money back first')])
    await transfer(owner, { amount: 1, to: 'wallet' })
    expect((await change(owner, { prepaid: false })).status).toBe(200)
    expect((await callFor(owner)).status).toBe(200)
    await world.expectSoundBooks()
  })

  it('[NEXT-29] gets a quote that its balance limits, not the wallet', async () => {
    const owner = await newOwner()
    await create(owner)
    await transfer(owner, { amount: 0.001, to: 'customer' })
    const body = { model: 'openai/gpt-5.2', messages: hello, max_tokens: 500 }
    const quote = await world.as(owner).post('/v1/quote', body, { headers: { 'x-weir-customer': 'acme' } })
    expect(quote.json).toMatchObject({ allowed: false })
    expect(quote.json['limits']).toMatchObject([
      { scope: 'customer', window: 'balance', limit: 0.001, taken: 0, left: 0.001, binds: true },
    ])
  })

  it('[NEXT-112] gives its balance back to the wallet when the person is deleted', async () => {
    const owner = await newOwner()
    await create(owner)
    await transfer(owner, { amount: 5, to: 'customer' })
    expect(await world.walletOf(owner.walletId)).toMatchObject({ held: '5' })
    await erasePerson(world.pool, owner.userId, operatorAuthor(Date.now()))
    expect(await world.walletOf(owner.walletId)).toMatchObject({ balance: '25', held: '0' })
    await world.expectSoundBooks()
  })
})

async function idOf(owner: Owner): Promise<string> {
  const { rows } = await world.pool.query<{ id: string }>('SELECT id FROM end_customers WHERE wallet_id = $1', [
    owner.walletId,
  ])
  return rows[0]?.id ?? ''
}
