import { afterAll, beforeAll, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { buildSearchIndexes } from '#store/postgres/customers/search-indexes.sql.ts'
import { createGenerationLists } from '#store/postgres/generations/postgres-generation-lists.ts'
import { recordStatements } from '#test/bench/usage/recording-pool.ts'
import { type KeyWorld, startKeyWorld } from '#test/keys/key-world.ts'
import { hello } from '#test/setup/call-chat.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import { readPlan } from '#test/bench/usage/read-plan.ts'

let world: KeyWorld
beforeAll(async () => {
  world = await startKeyWorld()
})
afterAll(() => world.close())

const chat: JsonObject = { model: 'openai/gpt-5.2', messages: hello, max_tokens: 500 }

async function callFor(as: TestClient, customer: string | null, tags: string | null = null): Promise<string> {
  const headers = {
    ...(customer === null ? {} : { 'x-weir-customer': customer }),
    ...(tags === null ? {} : { 'x-weir-tags': tags }),
  }
  const reply = await world.as(as).post('/v1/chat/completions', chat, { headers })
  expect(reply.status).toBe(200)
  return reply.headers.get('x-generation-id') ?? ''
}

/** A page of the list, as `id customer` of each entry. */
async function list(as: { key: string }, query: string): Promise<{ entries: string[]; next: string | null }> {
  const { status, json } = await world.send(as, 'GET', `/v1/generations?${query}`)
  expect(status).toBe(200)
  const entries = (json['data'] as JsonObject[]).map(({ id, customer = null }) => `${String(id)} ${String(customer)}`)
  return { entries, next: json['next_cursor'] as string | null }
}

it('[NEXT-16] lists the requests of one customer or tag, by page', async () => {
  const [owner, other] = [await world.createClient(), await world.createClient()]
  const first = await callFor(owner, 'acme', 'team=search')
  const second = await callFor(owner, 'acme')
  const plain = await callFor(owner, null, 'team=search')
  const third = await callFor(owner, 'bolt')
  await callFor(other, 'acme', 'team=search')
  const ofAcme = [`${second} acme`, `${first} acme`]
  expect((await list(owner, '')).entries).toEqual([`${third} bolt`, `${plain} null`, ...ofAcme])
  expect(await list(owner, 'customer=acme')).toEqual({ entries: ofAcme, next: null })
  const page = await list(owner, 'customer=acme&limit=1')
  expect(page.entries).toEqual(ofAcme.slice(0, 1))
  const rest = await list(owner, `customer=acme&limit=1&before=${page.next}`)
  expect(rest).toEqual({ entries: ofAcme.slice(1), next: null })
  expect((await list(owner, 'tag=team%3Dsearch')).entries).toEqual([`${plain} null`, `${first} acme`])
  expect((await list(owner, 'customer=acme&tag=team%3Dsearch&status=any')).entries).toEqual([`${first} acme`])
  for (const unknown of ['customer=nobody', 'tag=team%3Dads', 'customer=acme&status=refused']) {
    expect(await list(owner, unknown)).toEqual({ entries: [], next: null })
  }
  expect((await list(other, 'customer=bolt')).entries).toEqual([])
  expect((await world.send(owner, 'GET', '/v1/generations?customer=a%2Fb')).status).toBe(400)
})

it('[NEXT-54] lists the requests of one run, without those of its child runs, by page', async () => {
  const [owner, other] = [await world.createClient(), await world.createClient()]
  const callIn = async (as: TestClient, run: string, parent: string | null = null): Promise<string> => {
    const headers = { 'x-weir-run': run, ...(parent === null ? {} : { 'x-weir-parent-run': parent }) }
    const reply = await world.as(as).post('/v1/chat/completions', chat, { headers })
    expect(reply.status).toBe(200)
    return `${reply.headers.get('x-generation-id')} null`
  }
  const first = await callIn(owner, 'top')
  const child = await callIn(owner, 'child', 'top')
  const second = await callIn(owner, 'top')
  await callIn(other, 'top')
  expect(await list(owner, 'run=top')).toEqual({ entries: [second, first], next: null })
  const page = await list(owner, 'run=top&limit=1')
  expect(page.entries).toEqual([second])
  expect(await list(owner, `run=top&limit=1&before=${page.next}`)).toEqual({ entries: [first], next: null })
  expect((await list(owner, 'run=child')).entries).toEqual([child])
  expect((await list(other, 'run=child')).entries).toEqual([])
  expect((await list(owner, 'run=top&status=refused')).entries).toEqual([])
  expect((await list(owner, 'run=top&customer=acme')).entries).toEqual([])
  const { json } = await world.send(owner, 'GET', '/v1/generations')
  expect((json['data'] as JsonObject[]).map(({ run }) => run)).toEqual(['top', 'child', 'top'])
  expect((await world.send(owner, 'GET', '/v1/generations?run=a%2Fb')).status).toBe(400)
})

it.each([
  ['NEXT-16', 'customer', 'end_customer', 'end_customers', 'endCustomerId'],
  ['NEXT-54', 'run', 'run', 'runs', 'runId'],
])(
  '[%s] reads the requests of a %s by an index, which a worker completes',
  async (_clause, kind, column, table, name) => {
    const { pool } = world
    const owner = await world.createClient()
    const headers = { 'x-weir-customer': 'acme', 'x-weir-run': 'r' }
    expect((await world.as(owner).post('/v1/chat/completions', chat, { headers })).status).toBe(200)
    const index = `generations_${column}`
    await pool.query(`DROP INDEX ${index}`)
    await pool.query(`CREATE INDEX ${index} ON ONLY generations (${column}_id, id) WHERE ${column}_id IS NOT NULL`)
    const isComplete = `SELECT indisvalid FROM pg_index WHERE indexrelid = '${index}'::regclass`
    expect((await pool.query(isComplete)).rows).toEqual([{ indisvalid: false }])
    expect(await buildSearchIndexes(pool)).toBeGreaterThan(1)
    expect((await pool.query(isComplete)).rows).toEqual([{ indisvalid: true }])
    expect(await buildSearchIndexes(pool)).toBe(0)
    await pool.query(
      `INSERT INTO generations (id, wallet_id, key_id, endpoint, model, streamed, cancelled, is_byok, is_failover, started_at,
       duration_ms, uncached_input, cache_read, cache_write_5m, cache_write_1h, audio_input, text_output, reasoning_output,
       image_output, audio_output, held_nano, cost_nano, cache_discount_nano, attempts)
     SELECT (left(id::text, 14) || substr(gen_random_uuid()::text, 15))::uuid, wallet_id, key_id, endpoint, model, streamed, cancelled, is_byok, is_failover, started_at,
       duration_ms, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, attempts
     FROM generations, generate_series(1, 5000) WHERE run_id IS NOT NULL AND wallet_id = $1`,
      [owner.walletId],
    )
    await pool.query('ANALYZE generations')
    const { rows } = await pool.query<{ id: string }>(`SELECT id FROM ${table} WHERE wallet_id = $1`, [owner.walletId])
    const recording = recordStatements(pool)
    const filter = { ...everything, [name]: rows[0]?.id ?? null }
    const scope = { walletId: owner.walletId, only: null, userId: null }
    const page = await createGenerationLists(recording.pool).list({
      scope,
      filter,
      before: null,
      limit: 20,
      nowMs: Date.now(),
    })
    expect(page.records.map((record) => record[kind === 'run' ? 'run' : 'customer'])).toEqual([
      kind === 'run' ? 'r' : 'acme',
    ])
    for (const statement of recording.statements) expect((await readPlan(pool, statement)).blocks).toBeLessThan(40)
  },
)

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
