import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operatorAuthor } from '#control/operators/platform-entry.ts'
import { zeroUsd } from '#domain/money/nano-usd.ts'
import type { JsonObject } from '#lib/json.ts'
import { newUuid } from '#lib/uuid.ts'
import type { SettleEntry } from '#ports/money.ts'
import { purgeEndUsers } from '#store/postgres/generations/end-users.sql.ts'
import { createGenerationLists } from '#store/postgres/generations/postgres-generation-lists.ts'
import { settleGenerations, settleWithin } from '#store/postgres/money/settle-generations.sql.ts'
import { erasePerson } from '#store/postgres/people/erase-person.ts'
import { readPlan } from '#test/bench/usage/read-plan.ts'
import { recordStatements } from '#test/bench/usage/recording-pool.ts'
import { type KeyWorld, startKeyWorld } from '#test/keys/key-world.ts'
import { settleEntry } from '#test/money/settles.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import { hello } from '#test/setup/call-chat.ts'

let world: KeyWorld
beforeAll(async () => {
  world = await startKeyWorld()
})
afterAll(() => world.close())

const chat: JsonObject = { model: 'openai/gpt-5.2', messages: hello, max_tokens: 500 }

async function call(owner: TestClient, body: JsonObject, path = '/v1/chat/completions'): Promise<string> {
  const reply = await world.as(owner).post(path, { ...chat, ...body })
  expect(reply.status, reply.text).toBe(200)
  return reply.headers.get('x-generation-id') ?? ''
}

async function receipt(owner: { key: string }, id: string): Promise<JsonObject> {
  const { status, json } = await world.send(owner, 'GET', `/v1/generation?id=${id}`)
  expect(status).toBe(200)
  return json['data'] as JsonObject
}

/** The users of a page of the list, by id of the request. */
async function list(owner: { key: string }, query: string): Promise<{ users: JsonObject; next: unknown }> {
  const { status, json } = await world.send(owner, 'GET', `/v1/generations?${query}`)
  expect(status).toBe(200)
  const entries = (json['data'] as JsonObject[]).map(({ id, user = null }) => [id, user])
  return { users: Object.fromEntries(entries), next: json['next_cursor'] }
}

async function usersOf(walletId: string): Promise<unknown[]> {
  const text = 'SELECT end_user FROM generations WHERE wallet_id = $1 ORDER BY id'
  const { rows } = await world.pool.query<{ end_user: string | null }>(text, [walletId])
  return rows.map((row) => row.end_user)
}

describe('the user that the body of a request names', () => {
  it('[NEXT-120] is in the receipt and the list of requests, and filters it by page', async () => {
    const [owner, other] = [await world.createClient(), await world.createClient()]
    const first = await call(owner, { user: 'ada' })
    const inMessages = await call(owner, { metadata: { user_id: 'ada' } }, '/v1/messages')
    const plain = await call(owner, {})
    const second = await call(owner, { user: 'bob' })
    await call(other, { user: 'ada' })
    expect(await receipt(owner, first)).toMatchObject({ user: 'ada', total_cost: 0.006 })
    expect(await receipt(owner, plain)).not.toHaveProperty('user')
    expect((await receipt(owner, plain))['total_cost']).toBe(0.006)
    const ofAda = { [inMessages]: 'ada', [first]: 'ada' }
    expect((await list(owner, '')).users).toEqual({ [second]: 'bob', [plain]: null, ...ofAda })
    expect(await list(owner, 'user=ada')).toEqual({ users: ofAda, next: null })
    const page = await list(owner, 'user=ada&limit=1')
    const rest = await list(owner, `user=ada&limit=1&before=${String(page.next)}`)
    expect({ ...page.users, ...rest.users }).toEqual(ofAda)
    expect(rest.next).toBe(null)
    expect((await list(owner, 'user=ada&status=any')).users).toEqual(ofAda)
    for (const none of ['user=eve', 'user=ada&status=refused', 'user=ada&customer=acme']) {
      expect((await list(owner, none)).users).toEqual({})
    }
    expect((await list(other, 'user=bob')).users).toEqual({})
    expect((await world.send(other, 'GET', `/v1/generation?id=${first}`)).status).toBe(404)
  })

  it('[NEXT-120] has at most 256 characters: a longer one is not recorded, and the request is served', async () => {
    const owner = await world.createClient()
    const long = await call(owner, { user: 'u'.repeat(257) })
    expect(await receipt(owner, long)).not.toHaveProperty('user')
    const longest = await call(owner, { user: 'u'.repeat(256) })
    expect(await receipt(owner, longest)).toMatchObject({ user: 'u'.repeat(256) })
    expect((await list(owner, `user=${'u'.repeat(256)}`)).users).toEqual({ [longest]: 'u'.repeat(256) })
    const refused = await world.send(owner, 'GET', `/v1/generations?user=${'u'.repeat(257)}`)
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('at most 256 characters')])
    const strange = await call(owner, { user: 'a\0"\\,(\ud800' })
    expect(await receipt(owner, strange)).toMatchObject({ user: 'a\ufffd"\\,(\ufffd' })
  })

  it('[NEXT-120] keeps the settle plain for requests without a user', async () => {
    const owner = await world.createClient()
    await call(owner, {})
    const { rows } = await world.pool.query<{ calls: string }>(
      `SELECT count(*) AS calls FROM generations WHERE wallet_id = $1 AND end_user IS NULL AND tag_ids IS NULL`,
      [owner.walletId],
    )
    expect(rows).toEqual([{ calls: '1' }])
  })

  it('[NEXT-120] is no label of a metric', async () => {
    const owner = await world.createClient()
    await call(owner, { user: 'somebody-in-particular' })
    expect(await world.readMetrics()).not.toContain('somebody-in-particular')
  })

  it('[NEXT-120] finds its requests by an index', async () => {
    const { pool } = world
    const owner = await world.createClient()
    const id = await call(owner, { user: 'ada' })
    await pool.query(
      `INSERT INTO generations (id, wallet_id, key_id, endpoint, model, streamed, cancelled, is_byok, is_failover, started_at,
       duration_ms, uncached_input, cache_read, cache_write_5m, cache_write_1h, audio_input, text_output, reasoning_output,
       image_output, audio_output, held_nano, cost_nano, cache_discount_nano, attempts, end_user)
     SELECT (left(id::text, 14) || substr(gen_random_uuid()::text, 15))::uuid, wallet_id, key_id, endpoint, model, streamed, cancelled, is_byok, is_failover, started_at,
       duration_ms, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, attempts, 'user' || n % 100
     FROM generations, generate_series(1, 5000) AS n WHERE wallet_id = $1`,
      [owner.walletId],
    )
    await pool.query('ANALYZE generations')
    const recording = recordStatements(pool)
    const scope = { walletId: owner.walletId, only: null, userId: null }
    const filter = { ...everything, endUser: 'ada' }
    const page = await createGenerationLists(recording.pool).list({
      scope,
      filter,
      before: null,
      limit: 20,
      nowMs: Date.now(),
    })
    expect(page.records.map((record) => `gen-${record.id.replaceAll('-', '')}`)).toEqual([id])
    for (const statement of recording.statements) expect((await readPlan(pool, statement)).blocks).toBeLessThan(40)
  })
})

const everything = {
  model: null,
  provider: null,
  app: null,
  keyId: null,
  teamId: null,
  endCustomerId: null,
  runId: null,
  tagId: null,
  endUser: null,
  status: null,
  fromMs: null,
  toMs: null,
}

function lateOf({ walletId, keyId, userId }: TestClient, endUser: string): SettleEntry {
  const { record, windows } = settleEntry({ id: newUuid(Date.now()), walletId, keyId, userId }, zeroUsd)
  return { record: { ...record, endUser }, windows }
}

const purge = (atMost: number) => purgeEndUsers(world.pool, { nowMs: Date.now(), atMost })

describe('deleting a person', () => {
  it('[NEXT-121] removes the users from the requests, in batches, and those of no other wallet', async () => {
    const [owner, other] = [await world.createClient(), await world.createClient()]
    for (const user of ['ada', 'bob', 'eve']) await call(owner, { user })
    await call(owner, {})
    await call(other, { user: 'ada' })
    const before = await world.walletOf(owner.walletId)
    await erasePerson(world.pool, owner.userId, operatorAuthor(Date.now()))
    expect(await purge(2)).toBe(2)
    expect((await usersOf(owner.walletId)).filter((user) => user !== null)).toHaveLength(1)
    expect(await purge(2)).toBe(1)
    expect(await purge(2)).toBe(0)
    expect(await usersOf(owner.walletId)).toEqual([null, null, null, null])
    expect(await usersOf(other.walletId)).toEqual(['ada'])
    expect(await world.walletOf(owner.walletId)).toEqual(before)
    expect((await world.pool.query('SELECT 1 FROM end_user_erasures')).rows).toEqual([])
  })

  it('[NEXT-121] stores no user of a request that settles later', async () => {
    const owner = await world.createClient()
    const { pool } = world
    await settleGenerations(pool, [lateOf(owner, 'ada')])
    expect(await usersOf(owner.walletId)).toEqual(['ada'])
    await erasePerson(pool, owner.userId, operatorAuthor(Date.now()))
    await settleGenerations(pool, [lateOf(owner, 'bob')])
    expect((await usersOf(owner.walletId)).toSorted()).toEqual(['ada', null])
    expect(await purge(10)).toBe(1)
    expect(await usersOf(owner.walletId)).toEqual([null, null])
  })

  it('[NEXT-121] waits for a running settle, and removes its user', async () => {
    const owner = await world.createClient()
    const settling = await world.pool.connect()
    try {
      await settling.query('BEGIN')
      await settleWithin(settling, lateOf(owner, 'ada'))
      const erasing = erasePerson(world.pool, owner.userId, operatorAuthor(Date.now()))
      const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
      await expect.poll(async () => (await world.pool.query(waiting)).rows).toHaveLength(1)
      await settling.query('COMMIT')
      await erasing
    } finally {
      settling.release()
    }
    expect(await usersOf(owner.walletId)).toEqual(['ada'])
    expect(await purge(10)).toBe(1)
    expect(await usersOf(owner.walletId)).toEqual([null])
  })
})
