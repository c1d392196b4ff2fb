import { afterAll, beforeAll, expect, it } from 'vitest'
import { revokeKey } from '#control/keys/revoke-key.ts'
import { operatorAuthor } from '#control/operators/platform-entry.ts'
import { parseCustomerSearch } from '#domain/customers/parse-customer-search.ts'
import type { JsonObject } from '#lib/json.ts'
import { customerStatement } from '#store/postgres/customers/list-customers.sql.ts'
import { buildSearchIndexes } from '#store/postgres/customers/search-indexes.sql.ts'
import { createPostgresOperators } from '#store/postgres/operators/postgres-operators.ts'
import type { Client } from '#test/setup/client.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import { rowsSeen } from '#test/setup/rows-seen.ts'

let gateway: TestGateway
let operator: Client
let operatorKeyId: string

beforeAll(async () => {
  gateway = await startTestGateway()
  const made = await gateway.addOperatorKey()
  operatorKeyId = made.keyId
  operator = gateway.as(made.key)
})
afterAll(() => gateway.close())

async function addPerson(
  email: string,
  name: string,
): Promise<{ userId: string; walletId: string; keyId: string; key: string }> {
  const person = await gateway.createClient({ usd: '7.5' })
  await gateway.pool.query('UPDATE users SET email = $2, name = $3 WHERE id = $1', [person.userId, email, name])
  return person
}

async function find(q: string, more = ''): Promise<unknown[]> {
  const { status, json } = await operator.get(`/api/admin/customers?q=${encodeURIComponent(q)}${more}`)
  expect(status).toBe(200)
  return entriesOf(json).map((entry) => entry['address'])
}

const silent = () => Promise.resolve()

const entriesOf = (json: JsonObject): JsonObject[] =>
  Array.isArray(json['data']) ? json['data'].filter((entry): entry is JsonObject => typeof entry === 'object') : []

it('finds people and organizations by beginnings of words, ids and shown keys', async () => {
  const ada = await addPerson('Ada.Lovelace@engines.example', 'Augusta King')
  const org = await gateway.createOrganization({ name: 'Analytical Engines' })
  const { keyId, key } = await gateway.addOrganizationKey(org.id)
  const address = 'Ada.Lovelace@engines.example'
  expect(await find('ada.lovelace@engines.example')).toEqual([address])
  expect(await find('LOVEL')).toEqual([address])
  expect(await find('king augusta')).toEqual([address])
  expect(await find('engines')).toEqual([org.slug, address])
  expect(await find('engines', '&kind=user')).toEqual([address])
  expect(await find('engines', '&kind=organization')).toEqual([org.slug])
  expect(await find('ovelace')).toEqual([])
  expect(await find(`'); DROP TABLE users`)).toEqual([])
  for (const id of [ada.userId, ada.walletId, ada.keyId]) expect(await find(id)).toEqual([address])
  for (const id of [org.id, org.walletId, keyId]) expect(await find(id)).toEqual([org.slug])
  expect(await find(key.slice(0, 12))).toContain(org.slug)
  expect(await find(`${key.slice(0, 12)}…${key.slice(-4)}`)).toEqual([org.slug])
  expect(await find(`${key.slice(0, 12)}…----`)).toEqual([])
})

it('finds the owner of a deleted key, which logs still show', async () => {
  const person = await addPerson('former@keys.example', 'Former')
  const { keys } = createPostgresOperators(gateway.pool)
  await revokeKey({ keys, announce: silent }, { keyId: person.keyId, account: null }, operatorAuthor(Date.now()))
  expect(await find(`${person.key.slice(0, 12)}…${person.key.slice(-4)}`)).toEqual(['former@keys.example'])
})

it('pages through all that match, each once, newest first', async () => {
  const emails = ['first', 'second', 'third', 'fourth', 'fifth'].map((name) => `${name}@paged.example`)
  for (const email of emails) await addPerson(email, 'Paged')
  const seen: unknown[] = []
  for (let before: unknown = ''; before !== null; ) {
    const { json } = await operator.get(
      `/api/admin/customers?q=paged&limit=2${before === '' ? '' : `&before=${before}`}`,
    )
    const page = entriesOf(json).map(({ address }) => address)
    expect(page.length).toBeGreaterThan(0)
    seen.push(...page)
    before = json['next_cursor'] ?? null
  }
  expect(seen).toEqual(emails.toReversed())
})

it('shows one customer with wallet, keys and places, and no secret', async () => {
  const org = await gateway.createOrganization({ name: 'Shown', usd: '12.5' })
  const admin = await gateway.addMember(org.id, { role: 'org_admin' })
  const { key } = await gateway.addOrganizationKey(org.id)
  for (const reference of [org.id, org.slug, org.walletId]) {
    const { status, json, text } = await operator.get(`/api/admin/customers/${reference}`)
    expect(status).toBe(200)
    expect(text).not.toContain(key)
    expect(json['data']).toMatchObject({
      kind: 'organization',
      id: org.id,
      address: org.slug,
      suspended_at: null,
      wallet: { id: org.walletId, balance: 12.5, held: 0, available: 12.5 },
      sign_in: null,
      terms: { billing: 'prepaid', seats: null },
      keys: [{ shown: `${key.slice(0, 12)}…${key.slice(-4)}`, revoked_at: null }],
      key_count: 1,
      places: [{ id: admin.userId, name: admin.email, role: 'org_admin', suspended: false }],
      payments: [],
      notes: [],
    })
  }
  const person = await operator.get(`/api/admin/customers/${encodeURIComponent(admin.email)}`)
  expect(person.json['data']).toMatchObject({
    kind: 'user',
    address: admin.email,
    sign_in: { email_verified: true, ways: [], passkeys: 0, second_factor: false, sessions: 0, last_seen_at: null },
    terms: null,
    places: [{ id: org.id, name: 'Shown', role: 'org_admin' }],
  })
  expect((await operator.get('/api/admin/customers/nobody@nowhere.example')).status).toBe(404)
})

it('cuts off a tenant at once: every key of a suspended organization gets 403', async () => {
  const org = await gateway.createOrganization()
  const { key } = await gateway.addOrganizationKey(org.id)
  expect((await gateway.as(key).get('/v1/key')).status).toBe(200)
  const suspended = await operator.post(`/api/admin/organizations/${org.slug}/suspend`)
  expect(suspended.json).toEqual({ id: org.id, slug: org.slug, suspended: true })
  expect((await gateway.as(key).get('/v1/key')).status).toBe(403)
  expect(await find(org.slug, '&suspended=true')).toEqual([org.slug])
  expect(await find(org.slug, '&suspended=false')).toEqual([])
  await operator.post(`/api/admin/organizations/${org.id}/unsuspend`)
  expect((await gateway.as(key).get('/v1/key')).status).toBe(200)
  const { rows } = await gateway.pool.query<JsonObject>(
    `SELECT action, actor_kind, actor_id FROM audit_entries
     WHERE chain_id = $1 OR details->>'organizationId' = $1::text ORDER BY chain_id, sequence`,
    [org.id],
  )
  const [named, unnamed] = [operatorKeyId, null].map((id) => ({ actor_kind: 'operator', actor_id: id }))
  expect(rows).toEqual([
    { action: 'org.suspend', ...named },
    { action: 'org.unsuspend', ...named },
    { action: 'org.suspend', ...unnamed },
    { action: 'org.unsuspend', ...unnamed },
  ])
  expect((await operator.post('/api/admin/organizations/no-such-slug/suspend')).status).toBe(404)
})

it('keeps notes from the customer, audits them without their text, and deletes them', async () => {
  const org = await gateway.createOrganization()
  const path = `/api/admin/customers/${org.slug}/notes`
  const added = await operator.post(path, { text: '  pays by invoice, call Grace  ' })
  expect(added.status).toBe(201)
  const { id, text, author } = added.json['data'] as JsonObject
  expect([text, author]).toEqual(['pays by invoice, call Grace', 'on call'])
  for (const body of [{ text: ' ' }, { text: 'x'.repeat(4_001) }, { text: 'a\0b' }]) {
    expect((await operator.post(path, body)).status).toBe(400)
  }
  const audited = await gateway.pool.query<JsonObject>(
    `SELECT chain_id, action, details FROM audit_entries WHERE target_id = $1 AND action LIKE 'customer.note.%' ORDER BY sequence`,
    [org.id],
  )
  const chain = '00000000-0000-0000-0000-000000000000'
  expect(audited.rows).toEqual([{ chain_id: chain, action: 'customer.note.add', details: { noteId: id } }])
  const other = await gateway.createOrganization()
  expect((await operator.delete(`/api/admin/customers/${other.id}/notes/${String(id)}`)).status).toBe(404)
  expect((await operator.delete(`${path}/${String(id)}`)).status).toBe(204)
  expect((await operator.delete(`${path}/${String(id)}`)).status).toBe(404)
  const shown = await operator.get(`/api/admin/customers/${org.id}`)
  expect(shown.json['data']).toMatchObject({ notes: [] })
})

it('reads about as many rows as it shows, however many customers there are', async () => {
  const { pool } = gateway
  await pool.query(
    `WITH made AS (INSERT INTO users (id, email, name)
       SELECT gen_random_uuid(), 'crowd' || n || '@c' || n % 100 || '.example', 'Person ' || n FROM generate_series(1, 20000) n RETURNING id)
     INSERT INTO wallets (id, owner_kind, owner_id) SELECT gen_random_uuid(), 'user', id FROM made`,
  )
  expect(await buildSearchIndexes(pool)).toBe(4)
  expect(await buildSearchIndexes(pool)).toBe(0)
  await pool.query('ANALYZE users, wallets, organizations, api_keys')
  const all = { kind: null, suspended: null, before: null, limit: 20 }
  const seen = (text: string, more = {}) =>
    rowsSeen(pool, customerStatement({ ...all, ...more, search: parseCustomerSearch(text) }))
  expect(await seen('')).toBeLessThan(400)
  expect(await seen('', { suspended: true })).toBeLessThan(400)
  expect(await seen('crowd777@c77.example')).toBeLessThan(400)
  expect(await seen('crowd1234')).toBeLessThan(400)
  expect(await seen('nobody')).toBeLessThan(400)
  expect(await seen('sk-weir-Ab12')).toBeLessThan(400)
  expect(await seen('0190a1b2-0000-7000-8000-00000000abcd')).toBeLessThan(400)
})

it('builds an index again whose build was interrupted', async () => {
  const { pool } = gateway
  await buildSearchIndexes(pool)
  await pool.query(`UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'users_words'::regclass`)
  expect(await buildSearchIndexes(pool)).toBe(1)
  expect(await buildSearchIndexes(pool)).toBe(0)
})
