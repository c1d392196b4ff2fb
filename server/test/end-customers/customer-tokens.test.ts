import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseUsd } from '#domain/money/nano-usd.ts'
import type { JsonObject } from '#lib/json.ts'
import { purgeTokens } from '#store/postgres/end-customers/customer-tokens.sql.ts'
import { type KeyWorld, startKeyWorld } from '#test/keys/key-world.ts'
import { hello } from '#test/setup/call-chat.ts'
import { createTestClock } from '#test/setup/clock.ts'
import type { Reply } from '#test/setup/reply.ts'

// A request costs 0.006 and holds 0.006015.
const clock = createTestClock('2030-01-30T12:00:15Z')
let world: KeyWorld
beforeAll(async () => {
  world = await startKeyWorld(clock)
})
afterAll(() => world.close())

async function newOwner(limit?: string) {
  const terms = limit === undefined ? {} : { limit: parseUsd(limit), period: null }
  const owner = await world.createClient({ terms })
  const { key } = await world.addKey(owner.userId, { type: 'management' })
  await world.send({ key }, 'POST', '/v1/customers', { id: 'acme' })
  return { ...owner, manager: { key } }
}

type Owner = Awaited<ReturnType<typeof newOwner>>

const tokensOf = (customer = 'acme') => `/v1/customers/${customer}/tokens`

async function newToken(owner: Owner, terms: JsonObject = {}): Promise<{ id: string; key: string }> {
  const made = await world.send(owner.manager, 'POST', tokensOf(), { api_key_id: owner.keyId, ...terms })
  expect(made.status, made.text).toBe(201)
  return { id: String(made.data['id']), key: String(made.data['token']) }
}

const chat: JsonObject = { model: 'openai/gpt-5.2', messages: hello, max_tokens: 500 }

function call(as: { key: string }, headers: Record<string, string> = {}, body: JsonObject = {}): Promise<Reply> {
  return world.as(as).post('/v1/chat/completions', { ...chat, ...body }, { headers })
}

async function spentBy(owner: Owner, customer = 'acme'): Promise<unknown> {
  return (await world.send(owner.manager, 'GET', `/v1/customers/${customer}`)).data['spent']
}

describe('a token of a customer', () => {
  it('[NEXT-17] calls models for its customer, and the wallet pays', async () => {
    const owner = await newOwner()
    const token = await newToken(owner)
    expect((await call(token)).status).toBe(200)
    expect((await call(token, { 'x-weir-customer': 'acme' })).status).toBe(200)
    expect(await spentBy(owner)).toBe(0.012)
    expect(await world.walletOf(owner.walletId)).toMatchObject({ charged: '0.012' })
    const refused = await call(token, { 'x-weir-customer': 'bolt' })
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('another customer')])
    expect((await call(token, {}, { metadata: { customer_id: 'bolt' } })).status).toBe(403)
    // Of both a wallet has a bounded number, which devices must not use up.
    for (const named of [{ 'x-weir-tags': 'app=phone' }, { 'x-weir-run': 'job-1' }]) {
      const { status, text } = await call(token, named)
      expect([status, text]).toEqual([403, expect.stringContaining('Remove X-Weir-Tags and X-Weir-Run.')])
    }
    expect((await world.send(owner.manager, 'GET', '/v1/customers/bolt')).status).toBe(404)
    await world.expectSoundBooks()
  })

  it('[NEXT-18] is limited by itself, its customer and its key, also with requests at once', async () => {
    const owner = await newOwner('0.05')
    const token = await newToken(owner, { limit: 0.0301 })
    const replies = await Promise.all(Array.from({ length: 12 }, () => call(token)))
    for (let refused = false; !refused; refused = (await call(token)).status !== 200);
    const last = await call(token)
    expect([last.status, last.json['error']]).toMatchObject([
      402,
      { code: 'customer_limit_reached', message: expect.stringContaining("customer token's limit") },
    ])
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 402]))
    expect(await spentBy(owner)).toBe(0.03)
    await world.send(owner.manager, 'PATCH', '/v1/customers/acme', { total_limit: 0.031 })
    const other = await newToken(owner)
    expect((await call(other)).json['error']).toMatchObject({ message: expect.stringContaining("customer's total") })
    await world.send(owner.manager, 'PATCH', '/v1/customers/acme', { total_limit: null })
    const [fourth, fifth, sixth] = [await call(other), await call(other), await call(other)]
    expect([fourth.status, fifth.status, sixth.status]).toEqual([200, 200, 200])
    expect((await call(other)).json['error']).toMatchObject({ code: 'spend_limit_exceeded' })
    await world.send(owner.manager, 'PATCH', '/v1/customers/acme', { suspended: true })
    expect((await call(other)).json['error']).toMatchObject({ code: 'customer_suspended' })
    await world.expectSoundBooks()
  })

  it('[NEXT-20] tells nothing of the money and the limits of the owner, whatever refuses its requests', async () => {
    const poor = await world.createClient({ usd: '0.007' })
    const { key } = await world.addKey(poor.userId, { type: 'management' })
    await world.send({ key }, 'POST', '/v1/customers', { id: 'acme' })
    const owners = [{ ...poor, manager: { key } }, await newOwner('0.006')]
    const words = "This token's owner has too little credit, or has reached a spend limit."
    for (const [index, owner] of owners.entries()) {
      const code = ['insufficient_credits', 'spend_limit_exceeded'][index]
      const refused = await call(await newToken(owner), {}, { max_tokens: 5_000 })
      expect([refused.status, refused.json['error']]).toMatchObject([402, { code, message: words }])
      expect((await call(owner, {}, { max_tokens: 5_000 })).json['error']).toMatchObject({
        code,
        message: expect.stringMatching(/only \$0\.00[67] is (available|left)/),
      })
    }
    await world.expectSoundBooks()
  })

  it('[NEXT-19] calls only allowed models, chat completions and embeddings', async () => {
    const owner = await newOwner()
    const token = await newToken(owner, { allowed_models: ['anthropic/*'] })
    const refused = await call(token)
    expect([refused.status, refused.json['error']]).toMatchObject([403, { code: 'model_not_allowed' }])
    const listed = await world.as(token).get('/v1/models')
    const ids = (listed.json['data'] as JsonObject[]).map(({ id }) => String(id))
    expect(ids.length).toBeGreaterThan(0)
    expect(ids.filter((id) => !id.startsWith('anthropic/'))).toEqual([])
    for (const [method, path] of [
      ['POST', '/v1/responses'],
      ['POST', '/v1/images/generations'],
      ['POST', '/v1/quote'],
      ['GET', '/v1/generations'],
      ['GET', '/v1/credits'],
      ['GET', '/v1/key'],
      ['GET', '/v1/usage'],
      ['GET', '/v1/customers'],
      ['POST', tokensOf()],
    ] as const) {
      expect([path, (await world.send(token, method, path, method === 'GET' ? undefined : chat)).status]).toEqual([
        path,
        403,
      ])
    }
  })

  it('[NEXT-20] is not answered with what another token of the key was answered', async () => {
    const owner = await newOwner()
    const headers = { 'idempotency-key': 'the-same' }
    const tokens = [await newToken(owner), await newToken(owner)]
    const ids = await Promise.all(
      [...tokens, owner].map(async (as) => (await call(as, headers)).headers.get('x-generation-id')),
    )
    expect(new Set(ids).size).toBe(3)
  })

  it('[NEXT-20] reads receipts of its customer only, without names of the owner', async () => {
    const owner = await newOwner()
    const token = await newToken(owner)
    const [own, others, plain] = [
      await call(token, {}, { user: 'ada' }),
      await call(owner, { 'x-weir-customer': 'bolt' }),
      await call(owner),
    ]
    const receiptOf = (reply: Reply) =>
      world.as(token).get(`/v1/generation?id=${reply.headers.get('x-generation-id') ?? ''}`)
    const receipt = await receiptOf(own)
    expect(receipt.json['data']).toMatchObject({ customer: 'acme', total_cost: 0.006 })
    expect(receipt.json['data']).not.toHaveProperty('api_key_name')
    expect(receipt.json['data']).not.toHaveProperty('user')
    const unknown = await world.as(token).get('/v1/generation?id=gen-01900000-0000-7000-8000-000000000000')
    for (const foreign of [others, plain]) {
      const { status, json } = await receiptOf(foreign)
      expect([status, withoutId(json)]).toEqual([unknown.status, withoutId(unknown.json)])
    }
  })
})

function withoutId(body: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(body).replaceAll(/req_[\w-]+/g, '')) as JsonObject
}

describe('the life of a token', () => {
  it('[NEXT-21] ends with its time, its revocation and its key', async () => {
    const owner = await newOwner()
    const short = await newToken(owner, { expires_in: 60 })
    const revoked = await newToken(owner)
    const left = await newToken(owner)
    for (const token of [short, revoked, left]) expect((await call(token)).status).toBe(200)
    expect((await world.send(owner.manager, 'DELETE', `${tokensOf()}/${revoked.id}`)).status).toBe(204)
    expect((await call(revoked)).status).toBe(401)
    expect((await world.send(owner.manager, 'DELETE', `${tokensOf()}/${revoked.id}`)).status).toBe(404)
    clock.set('2030-01-30T12:01:15Z')
    expect((await call(short)).status).toBe(401)
    expect((await call(left)).status).toBe(200)
    await world.send(owner.manager, 'PATCH', `/v1/keys/${owner.keyId}`, { disabled: true })
    expect((await call(left)).status).toBe(401)
    await world.send(owner.manager, 'PATCH', `/v1/keys/${owner.keyId}`, { disabled: false })
    expect((await call(left)).status).toBe(200)
  })

  it('[NEXT-21] is at most a day, and purged a day later with its sums', async () => {
    const owner = await newOwner()
    for (const terms of [{ expires_in: 86_401 }, { expires_in: 59 }, { limit: -1 }, { allowed_models: [] }]) {
      const body = { api_key_id: owner.keyId, ...terms }
      expect((await world.send(owner.manager, 'POST', tokensOf(), body)).status).toBe(400)
    }
    const token = await newToken(owner, { limit: 1 })
    await call(token)
    const { pool } = world
    expect(await purgeTokens(pool, 100)).toBe(0)
    await pool.query(`UPDATE customer_tokens SET expires_at = now() - interval '25 hours' WHERE id = $1`, [token.id])
    expect(await purgeTokens(pool, 100)).toBe(1)
    const windows = await pool.query(`SELECT FROM spend_windows WHERE kind = 'token_life' AND owner_id = $1`, [
      token.id,
    ])
    expect(windows.rowCount).toBe(0)
  })

  it('[NEXT-22] is listed without its secret, by page, and is in the audit log', async () => {
    const owner = await newOwner()
    const [first, second] = [await newToken(owner, { limit: 1 }), await newToken(owner)]
    await call(first)
    const page = await world.send(owner.manager, 'GET', `${tokensOf()}?limit=1`)
    expect(page.json['data']).toEqual([
      {
        id: second.id,
        api_key_id: owner.keyId,
        limit: null,
        allowed_models: null,
        created_at: expect.any(String),
        expires_at: expect.any(String),
        spent: null,
        revoked_at: null,
      },
    ])
    const cursor = String(page.json['next_cursor'])
    const rest = await world.send(owner.manager, 'GET', `${tokensOf()}?limit=1&cursor=${cursor}`)
    expect(rest.json).toMatchObject({ data: [{ id: first.id, limit: 1, spent: 0.006 }], next_cursor: null })
    expect(page.text + rest.text).not.toContain('cust-weir-')
    const { rows } = await world.pool.query<{ id: string }>('SELECT id FROM end_customers WHERE wallet_id = $1', [
      owner.walletId,
    ])
    await world.send(owner.manager, 'DELETE', `${tokensOf()}/${first.id}`)
    const entries = await world.auditOf(rows[0]?.id ?? '')
    expect(entries.map(({ action }) => action)).toEqual([
      'end_customer.create',
      'end_customer.token.create',
      'end_customer.token.create',
      'end_customer.token.revoke',
    ])
    expect(JSON.stringify(entries)).not.toMatch(/acme|cust-weir-/)
  })

  it('[NEXT-22] is made with keys and for customers of the same wallet only', async () => {
    const [owner, other] = [await newOwner(), await newOwner()]
    const token = await newToken(other)
    const ask = (path: string, keyId: string) => world.send(owner.manager, 'POST', path, { api_key_id: keyId })
    const unknown = '01900000-0000-7000-8000-000000000000'
    const replies = [await ask(tokensOf(), other.keyId), await ask(tokensOf(), unknown)]
    expect(replies.map(({ status }) => status)).toEqual([400, 400])
    expect(withoutId(replies[0]?.json ?? {})).toEqual(withoutId(replies[1]?.json ?? {}))
    expect((await ask(tokensOf('nobody'), owner.keyId)).status).toBe(404)
    expect((await world.send(owner.manager, 'GET', tokensOf('nobody'))).status).toBe(404)
    expect((await world.send(owner.manager, 'DELETE', `${tokensOf()}/${token.id}`)).status).toBe(404)
    expect((await call(token)).status).toBe(200)
  })
})
