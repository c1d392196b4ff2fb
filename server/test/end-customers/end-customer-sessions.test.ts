import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Role } from '#domain/access/roles.ts'
import type { JsonObject } from '#lib/json.ts'
import { type KeyWorld, startKeyWorld } from '#test/keys/key-world.ts'
import { hello } from '#test/setup/call-chat.ts'
import type { Credential } from '#test/setup/client.ts'
import type { Reply } from '#test/setup/reply.ts'

// A request costs 0.006.
let world: KeyWorld
beforeAll(async () => {
  world = await startKeyWorld()
})
afterAll(() => world.close())

const customers = '/v1/customers'

async function sessionOf(userId: string): Promise<Credential> {
  return { cookie: await world.signIn(userId) }
}

/** An organization whose key has sent a request for the customer `acme-7`, and its administrator. */
async function newOrganization() {
  const { id } = await world.createOrganization()
  const admin = await world.addMember(id, { role: 'org_admin' })
  const { key } = await world.addOrganizationKey(id)
  expect((await callFor({ key }, 'acme-7')).status).toBe(200)
  await world.settled()
  return { id, key, admin, session: await sessionOf(admin.userId), query: `?organization=${id}` }
}

function callFor(as: Credential, customer: string): Promise<Reply> {
  const body = { model: 'openai/gpt-5.2', messages: hello, max_tokens: 500 }
  return world.as(as).post('/v1/chat/completions', body, { headers: { 'x-weir-customer': customer } })
}

const idsIn = ({ json }: Reply): unknown[] =>
  Array.isArray(json.data) ? json.data.map((entry) => (entry as JsonObject)['id']) : []

describe('a signed-in person', () => {
  it('[NEXT-14] creates, reads, limits and suspends the customers of the own wallet', async () => {
    const owner = await world.createClient({ usd: '25' })
    const session = await sessionOf(owner.userId)
    const made = await world.send(session, 'POST', customers, { id: 'c', name: 'Ann', total_limit: 0.007 })
    expect([made.status, made.data]).toMatchObject([201, { id: 'c', name: 'Ann', total_limit: 0.007 }])
    expect((await callFor(owner, 'c')).status).toBe(200)
    expect((await callFor(owner, 'c')).status).toBe(402)
    await world.settled()
    expect((await world.send(session, 'GET', `${customers}/c`)).data).toMatchObject({ spent: 0.006, requests: 1 })
    expect((await world.send(session, 'GET', `${customers}/c/usage`)).json['total']).toMatchObject({ spent: 0.006 })
    expect(idsIn(await world.send(session, 'GET', `${customers}?q=c`))).toEqual(['c'])
    const changed = await world.send(session, 'PATCH', `${customers}/c`, { suspended: true, total_limit: null })
    expect(changed.data).toMatchObject({ suspended: true, total_limit: null, name: 'Ann' })
    expect((await callFor(owner, 'c')).status).toBe(403)
  })

  it('[NEXT-14] finds none of another person, and none of an organization without naming it', async () => {
    const { admin, session } = await newOrganization()
    const stranger = await world.createClient({ usd: '25' })
    expect((await callFor(stranger, 'theirs')).status).toBe(200)
    expect((await world.send(session, 'GET', `${customers}/acme-7`)).status).toBe(404)
    expect((await world.send(session, 'GET', `${customers}/theirs`)).status).toBe(404)
    expect((await world.send(session, 'PATCH', `${customers}/theirs`, { suspended: true })).status).toBe(404)
    expect(idsIn(await world.send(session, 'GET', customers))).toEqual([])
    const { key } = await world.addKey(admin.userId, { type: 'management' })
    expect(idsIn(await world.send({ key }, 'GET', customers))).toEqual([])
  })

  it('[NEXT-14] cannot change one from another website', async () => {
    const owner = await world.createClient({ usd: '25' })
    const headers = { origin: 'https://elsewhere.example' }
    const session = world.as(await sessionOf(owner.userId))
    expect((await session.post(customers, { id: 'c' }, { headers })).status).toBe(403)
    expect(idsIn(await session.get(customers))).toEqual([])
  })
})

describe('the customers of an organization', () => {
  /** Whether the role reads them, and whether it changes them. */
  const rights: Record<Role, readonly [reads: number, changes: number, creates: number]> = {
    org_admin: [200, 200, 201],
    billing_viewer: [200, 403, 403],
    team_admin: [403, 403, 403],
    member: [403, 403, 403],
  }

  it.each(Object.entries(rights))('[NEXT-15] are for a %s: %j', async (role, [reads, changes, creates]) => {
    const { id, query } = await newOrganization()
    const { teamId } = await world.addTeam(id)
    const { userId } = await world.addMember(id, { role: role as Role, teamId })
    const session = await sessionOf(userId)
    const read = await Promise.all(
      ['', '/acme-7', '/acme-7/usage', '/nobody'].map((path) => world.send(session, 'GET', customers + path + query)),
    )
    expect(read.map(({ status }) => status)).toEqual([reads, reads, reads, reads === 200 ? 404 : 403])
    expect(read.some(({ text }) => text.includes('0.006'))).toBe(reads === 200)
    const changed = await world.send(session, 'PATCH', `${customers}/acme-7${query}`, { daily_limit: 1 })
    expect(changed.status).toBe(changes)
    expect((await world.send(session, 'POST', customers + query, { id: 'new' })).status).toBe(creates)
  })

  it('[NEXT-15] are no ones of an organization that is not theirs, or that never was', async () => {
    const { query } = await newOrganization()
    const stranger = await world.createClient({ usd: '25' })
    const session = await sessionOf(stranger.userId)
    for (const place of [query, '?organization=00000000-0000-4000-8000-000000000000', '?organization=nonsense']) {
      const replies = [
        await world.send(session, 'GET', customers + place),
        await world.send(session, 'GET', `${customers}/acme-7${place}`),
        await world.send(session, 'GET', `${customers}/acme-7/usage${place}`),
        await world.send(session, 'POST', customers + place, { id: 'mine' }),
        await world.send(session, 'PATCH', `${customers}/acme-7${place}`, { suspended: true }),
      ]
      const seen = replies.map(({ status, message }) => `${status} ${String(message)}`)
      expect(new Set(seen)).toEqual(new Set(['404 Organization not found.']))
    }
    const { key } = await world.addKey(stranger.userId, { type: 'management' })
    expect((await world.send({ key }, 'GET', customers + query)).status).toBe(400)
  })

  it("[NEXT-15] are changed with an entry in the organization's audit log that names the person", async () => {
    const { id, admin, session, query, key } = await newOrganization()
    await world.send(session, 'PATCH', `${customers}/acme-7${query}`, { suspended: true })
    expect((await callFor({ key }, 'acme-7')).status).toBe(403)
    const { rows } = await world.pool.query(
      `SELECT actor_kind, actor_id, action, after->'suspended' AS suspended FROM audit_entries
       WHERE chain_id = $1 AND target_kind = 'end_customer'`,
      [id],
    )
    expect(rows).toEqual([
      { actor_kind: 'user', actor_id: admin.userId, action: 'end_customer.update', suspended: true },
    ])
  })
})
