import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseUsd } from '#domain/money/nano-usd.ts'
import type { JsonObject } from '#lib/json.ts'
import { type KeyWorld, startKeyWorld } from '#test/keys/key-world.ts'
import { hello } from '#test/setup/call-chat.ts'
import { createTestClock } from '#test/setup/clock.ts'
import type { Credential } from '#test/setup/client.ts'
import type { Reply } from '#test/setup/reply.ts'

// A request costs 0.006 and holds 0.006015.
const clock = createTestClock('2030-01-30T12:00:15Z')
let world: KeyWorld
beforeAll(async () => {
  world = await startKeyWorld(clock)
})
afterAll(() => world.close())

/** A person with a key for inference and one for management. */
async function newOwner(terms: { limit?: string } = {}) {
  const limit = terms.limit === undefined ? {} : { limit: parseUsd(terms.limit), period: null }
  const caller = await world.createClient({ usd: '25', terms: limit })
  const { key: manager } = await world.addKey(caller.userId, { type: 'management' })
  return { ...caller, manager: { key: manager } }
}

const chat: JsonObject = {
  model: 'openai/gpt-5.2',
  messages: hello,
  max_tokens: 500,
}

/** Sends a request for a customer, named in the header unless the body names one. */
function callFor(as: Credential, customer: string | null, body: JsonObject = {}): Promise<Reply> {
  const headers = customer === null ? {} : { 'x-weir-customer': customer }
  return world.as(as).post('/v1/chat/completions', { ...chat, ...body }, { headers })
}

const customers = '/v1/customers'

describe('a request that names a customer', () => {
  it('[NEXT-01] creates an unknown one without limits, and counts what it spends', async () => {
    const owner = await newOwner()
    expect((await callFor(owner, 'acme-7')).status).toBe(200)
    expect((await callFor(owner, 'acme-7')).status).toBe(200)
    const { data } = await world.send(owner.manager, 'GET', `${customers}/acme-7`)
    expect(data).toEqual({
      id: 'acme-7',
      name: null,
      daily_limit: null,
      monthly_limit: null,
      total_limit: null,
      suspended: false,
      markup_basis_points: null,
      prepaid: false,
      balance: null,
      balance_held: null,
      created_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T.*Z$/),
      spent_today: 0.012,
      spent_this_month: 0.012,
      spent: 0.012,
      requests: 2,
    })
    await world.expectSoundBooks()
  })

  it('[NEXT-02] may name it in the metadata, which is not passed on', async () => {
    const owner = await newOwner()
    const body = { metadata: { customer_id: 'in-body', trace: 'kept' } }
    expect((await callFor(owner, null, body)).status).toBe(200)
    expect(world.upstream.requests.at(-1)?.body).toMatchObject({ metadata: { trace: 'kept' } })
    expect(world.upstream.requests.at(-1)?.rawBody).not.toContain('in-body')
    expect((await callFor(owner, 'in-body', { metadata: { customer_id: 'in-body' } })).status).toBe(200)
    expect(world.upstream.requests.at(-1)?.body).not.toHaveProperty('metadata')
    expect(await spentBy(owner.manager, 'in-body')).toBe(0.012)
  })

  it('[NEXT-02] is refused when the two differ, or are no ids', async () => {
    const owner = await newOwner()
    const upstreamCalls = world.upstream.requests.length
    const refused = [
      await callFor(owner, 'one', { metadata: { customer_id: 'two' } }),
      await callFor(owner, 'two words'),
      await callFor(owner, ''),
      await callFor(owner, 'x'.repeat(129)),
      await callFor(owner, '..'),
      await callFor(owner, null, { metadata: { customer_id: 7 } }),
    ]
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 400])
    expect(world.upstream.requests).toHaveLength(upstreamCalls)
    expect((await world.send(owner.manager, 'GET', customers)).json.data).toEqual([])
    expect((await callFor(owner, 'x'.repeat(128))).status).toBe(200)
  })

  it.each(['metadata[customer_id]', 'metadata'])(
    '[NEXT-02] cannot name it in the field %s of a form',
    async (field) => {
      const owner = await newOwner()
      const form = new FormData()
      form.set('model', 'openai/gpt-5.2')
      form.set(field, field === 'metadata' ? '{"customer_id":"x"}' : 'x')
      const headers = { authorization: `Bearer ${owner.key}` }
      const reply = await fetch(`${world.url}/v1/images/edits`, { method: 'POST', headers, body: form })
      expect(reply.status).toBe(400)
      expect(await reply.text()).toContain('Use X-Weir-Customer')
    },
  )

  it('[NEXT-01] creates none if it is refused before money is held', async () => {
    const owner = await newOwner()
    expect((await callFor(owner, 'typo', { model: undefined })).status).toBe(400)
    expect((await callFor(owner, 'typo', { model: 'acme/none' })).status).toBe(400)
    expect((await world.send(owner.manager, 'GET', `${customers}/typo`)).status).toBe(404)
    expect((await callFor(owner, 'typo')).status).toBe(200)
  })

  it('[NEXT-03] keeps customers of other owners with the same id apart', async () => {
    const [one, other] = [await newOwner(), await newOwner()]
    await callFor(one, 'shared')
    expect((await world.send(other.manager, 'GET', `${customers}/shared`)).status).toBe(404)
    await world.send(other.manager, 'POST', customers, { id: 'shared', total_limit: 0 })
    expect((await callFor(one, 'shared')).status).toBe(200)
    expect((await callFor(other, 'shared')).status).toBe(402)
    expect(await spentBy(one.manager, 'shared')).toBe(0.012)
  })
})

describe("a customer's limit", () => {
  it.each([
    ['daily_limit', '2030-01-31T00:00:00Z', "customer's daily limit"],
    ['monthly_limit', '2030-02-01T00:00:00Z', "customer's monthly limit"],
    ['total_limit', null, "customer's total limit"],
  ])('[NEXT-04] %s refuses what it has no room for', async (name, resetsAt, title) => {
    clock.set('2030-01-30T12:00:15Z')
    const owner = await newOwner()
    await world.send(owner.manager, 'POST', customers, { id: 'c', [name]: 0.01 })
    expect((await callFor(owner, 'c')).status).toBe(200)
    const refused = await callFor(owner, 'c')
    expect([refused.status, refused.json]).toMatchObject([
      402,
      { error: { code: 'customer_limit_reached', message: expect.stringContaining(title) } },
    ])
    expect(refused.text).toContain('$0.004 is left')
    expect((await callFor(owner, 'another')).status).toBe(200)
    expect((await callFor(owner, null)).status).toBe(200)
    clock.set(resetsAt ?? '2035-01-01T00:00:00Z')
    expect((await callFor(owner, 'c')).status).toBe(resetsAt === null ? 402 : 200)
    await world.expectSoundBooks()
  })

  it('[NEXT-05] that is set later counts what was spent before', async () => {
    clock.set('2030-01-30T12:00:15Z')
    const owner = await newOwner()
    await callFor(owner, 'c')
    const set = await world.send(owner.manager, 'PATCH', `${customers}/c`, { total_limit: 0.012 })
    expect(set.data).toMatchObject({ total_limit: 0.012, daily_limit: null, spent: 0.006 })
    expect((await callFor(owner, 'c')).status).toBe(402)
    await world.send(owner.manager, 'PATCH', `${customers}/c`, { total_limit: 0.012015 })
    expect((await callFor(owner, 'c')).status).toBe(200)
    await world.send(owner.manager, 'PATCH', `${customers}/c`, { total_limit: null })
    expect((await callFor(owner, 'c')).status).toBe(200)
    expect(await spentBy(owner.manager, 'c')).toBe(0.018)
    await world.send(owner.manager, 'PATCH', `${customers}/c`, { total_limit: 0.024 })
    expect((await callFor(owner, 'c')).status).toBe(402)
  })

  it('[NEXT-04] holds beside the limit of the key, whichever has less room', async () => {
    const owner = await newOwner({ limit: '0.01' })
    await world.send(owner.manager, 'POST', customers, { id: 'c', total_limit: 5 })
    expect((await callFor(owner, 'c')).status).toBe(200)
    expect((await callFor(owner, 'c')).json).toMatchObject({ error: { code: 'spend_limit_exceeded' } })
  })

  it('[NEXT-06] is never exceeded by requests at once', async () => {
    clock.set('2030-01-30T12:00:15Z')
    const owner = await newOwner()
    await world.send(owner.manager, 'POST', customers, { id: 'c', total_limit: 0.061 })
    const replies = await Promise.all(Array.from({ length: 40 }, () => callFor(owner, 'c')))
    const served = replies.filter(({ status }) => status === 200).length
    expect(replies.filter(({ status }) => status === 402)).toHaveLength(40 - served)
    expect(served).toBeLessThanOrEqual(10)
    expect(served).toBeGreaterThan(0)
    await world.settled()
    expect(await spentBy(owner.manager, 'c')).toBeLessThanOrEqual(0.061)
    await world.expectSoundBooks()
  })
})

describe('a suspended customer', () => {
  it('[NEXT-07] is refused until resumed, and nobody else is', async () => {
    const owner = await newOwner()
    await callFor(owner, 'c')
    await world.send(owner.manager, 'PATCH', `${customers}/c`, { suspended: true })
    const refused = await callFor(owner, 'c')
    expect([refused.status, refused.json]).toMatchObject([403, { error: { code: 'customer_suspended' } }])
    expect((await callFor(owner, 'd')).status).toBe(200)
    await world.send(owner.manager, 'PATCH', `${customers}/c`, { suspended: false })
    expect((await callFor(owner, 'c')).status).toBe(200)
  })
})

describe('the customers of an owner', () => {
  it('[NEXT-08] are listed by page, the newest first, and found by the beginning of their id', async () => {
    const owner = await newOwner()
    for (const id of ['acme-1', 'beta-1', 'acme-2']) await world.send(owner.manager, 'POST', customers, { id })
    const first = await world.send(owner.manager, 'GET', `${customers}?limit=2`)
    expect(idsIn(first)).toEqual(['acme-2', 'beta-1'])
    const next = await world.send(owner.manager, 'GET', `${customers}?limit=2&cursor=${String(first.json.next_cursor)}`)
    expect([idsIn(next), next.json.next_cursor]).toEqual([['acme-1'], null])
    expect(idsIn(await world.send(owner.manager, 'GET', `${customers}?q=acme`))).toEqual(['acme-2', 'acme-1'])
  })

  it('[NEXT-08] are created once, with name and limits', async () => {
    const owner = await newOwner()
    const body = { id: 'a@b.example', name: 'Ann', daily_limit: 1.5, monthly_limit: null }
    const made = await world.send(owner.manager, 'POST', customers, body)
    expect([made.status, made.data]).toMatchObject([201, { ...body, total_limit: null, spent: 0, requests: 0 }])
    expect((await world.send(owner.manager, 'POST', customers, body)).status).toBe(409)
    expect((await world.send(owner.manager, 'POST', customers, {})).status).toBe(400)
    expect((await world.send(owner.manager, 'POST', customers, { id: 'a b' })).status).toBe(400)
    expect((await world.send(owner.manager, 'PATCH', `${customers}/b`, { name: 'x' })).status).toBe(404)
    expect((await world.send(owner.manager, 'PATCH', `${customers}/a@b.example`, { daily_limit: -1 })).status).toBe(400)
    expect((await world.send({ key: owner.key }, 'GET', customers)).status).toBe(403)
  })

  it('[NEXT-09] have their usage by day', async () => {
    const owner = await newOwner()
    clock.set('2030-03-01T12:00:00Z')
    await callFor(owner, 'c')
    clock.set('2030-03-03T12:00:00Z')
    await callFor(owner, 'c')
    await callFor(owner, 'c')
    const { json } = await world.send(owner.manager, 'GET', `${customers}/c/usage`)
    expect(json).toEqual({
      data: [
        { date: '2030-03-01', spent: 0.006, requests: 1, tokens: 500 },
        { date: '2030-03-03', spent: 0.012, requests: 2, tokens: 1_000 },
      ],
      total: { spent: 0.018, requests: 3, tokens: 1_500 },
    })
    const part = await world.send(owner.manager, 'GET', `${customers}/c/usage?from=2030-03-02&to=2030-03-03`)
    expect(part.json.total).toEqual({ spent: 0.012, requests: 2, tokens: 1_000 })
    const wrong = [
      '?from=2030-03-04&to=2030-03-03',
      '?from=2028-01-01&to=2030-03-03',
      '?from=yesterday',
      '?from=0000-01-01&to=0000-01-05',
      '?from=1999-12-31&to=2000-01-01',
      '?to=1999-12-31',
    ]
    for (const query of wrong) {
      expect((await world.send(owner.manager, 'GET', `${customers}/c/usage${query}`)).status).toBe(400)
    }
    expect((await world.send(owner.manager, 'GET', `${customers}/d/usage`)).status).toBe(404)
  })

  it('[NEXT-10] are changed with an entry in the audit log that tells the limits, not the name', async () => {
    const owner = await newOwner()
    await world.send(owner.manager, 'POST', customers, { id: 'secret-id', name: 'Ann', daily_limit: 1 })
    await world.send(owner.manager, 'PATCH', `${customers}/secret-id`, { daily_limit: 2, suspended: true })
    await world.send(owner.manager, 'PATCH', `${customers}/secret-id`, { daily_limit: 2 })
    const { rows } = await world.pool.query(
      `SELECT e.action, e.before, e.after FROM audit_entries e JOIN end_customers c ON c.id = e.target_id::uuid
       WHERE e.target_kind = 'end_customer' AND c.external_id = 'secret-id' ORDER BY e.sequence`,
    )
    expect(rows).toEqual([
      {
        action: 'end_customer.create',
        before: null,
        after: {
          daily_limit: 1,
          monthly_limit: null,
          total_limit: null,
          suspended: false,
          markup_basis_points: null,
          prepaid: false,
        },
      },
      {
        action: 'end_customer.update',
        before: {
          daily_limit: 1,
          monthly_limit: null,
          total_limit: null,
          suspended: false,
          markup_basis_points: null,
          prepaid: false,
        },
        after: {
          daily_limit: 2,
          monthly_limit: null,
          total_limit: null,
          suspended: true,
          markup_basis_points: null,
          prepaid: false,
        },
      },
    ])
  })
})

function idsIn({ json }: Reply): unknown[] {
  return Array.isArray(json.data) ? json.data.map((entry) => (entry as JsonObject).id) : []
}

async function spentBy(manager: Credential, customer: string): Promise<unknown> {
  await world.settled()
  return (await world.send(manager, 'GET', `${customers}/${customer}`)).data.spent
}
