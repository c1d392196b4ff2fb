import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { firstUuidAt, newUuid } from '#lib/uuid.ts'
import { requestStatement } from '#store/postgres/operated-requests/look-at-requests.sql.ts'
import { callChat } from '#test/setup/call-chat.ts'
import { dayMs } from '#test/setup/day.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import { rowsSeen } from '#test/setup/rows-seen.ts'
import { jsonAnswer } from '#test/simulators/scenarios/json-answer.ts'
import { type Simulator, startSimulator } from '#test/simulators/start-simulator.ts'

describe('the search for requests', () => {
  let gateway: TestGateway
  let upstream: Simulator
  let operator: string

  beforeAll(async () => {
    gateway = await startTestGateway()
    upstream = await startSimulator()
    await gateway.addProvider({ vendor: 'openai', url: `${upstream.url}/v1`, pattern: 'openai/*', name: 'main' })
    operator = (await gateway.addOperatorKey()).key
  })
  afterAll(async () => {
    await gateway.close()
    await upstream.close()
  })

  const ask = async (key: string) => {
    const reply = await callChat(gateway.as(key), { model: 'openai/gpt-4o-mini' })
    return reply.headers.get('x-generation-id') ?? ''
  }

  async function search(query: Record<string, string>): Promise<JsonObject[]> {
    const { status, json } = await gateway.as(operator).get(`/api/admin/requests?${new URLSearchParams(query)}`)
    expect(status).toBe(200)
    return Array.isArray(json['data'])
      ? json['data'].filter((entry): entry is JsonObject => typeof entry === 'object')
      : []
  }
  const idsOf = async (query: Record<string, string>) => (await search(query)).map(({ id }) => id)

  it('finds a request by customer, key, model, provider, outcome, error and id', async () => {
    const caller = await gateway.createClient()
    const second = await gateway.addKey(caller.userId)
    const poor = await gateway.createClient({ usd: '0' })
    const [first, other] = [await ask(caller.key), await ask(second.key)]
    upstream.play(jsonAnswer(500, { error: { message: 'boom' } }))
    const failed = await ask(caller.key)
    upstream.play({ kind: 'echo' })
    const refused = await ask(poor.key)
    await expect.poll(() => idsOf({ customer: poor.userId })).toEqual([refused])
    const customer = caller.walletId
    expect(await idsOf({ customer })).toEqual([failed, other, first])
    expect(await idsOf({ customer: caller.userId, limit: '2' })).toEqual([failed, other])
    expect(await idsOf({ key: second.keyId })).toEqual([other])
    expect(await idsOf({ customer, outcome: 'charged' })).toEqual([other, first])
    expect(await idsOf({ customer, outcome: 'failed' })).toEqual([failed])
    expect(await idsOf({ customer, outcome: 'refused' })).toEqual([])
    expect(await idsOf({ customer, error: 'upstream_failed' })).toEqual([failed])
    expect(await idsOf({ customer, model: 'openai/gpt-4o-mini', provider: 'openai' })).toEqual(
      expect.arrayContaining([other, first]),
    )
    expect(await idsOf({ customer, model: 'nobody/none' })).toEqual([])
    for (const id of [first, refused]) {
      expect(await idsOf({ id })).toEqual([id])
      expect(await idsOf({ id: id.replace('gen-', 'req_') })).toEqual([id])
    }
    const [entry] = await search({ id: refused })
    expect(entry).toMatchObject({
      outcome: 'refused',
      customer: { kind: 'user', id: poor.userId, name: expect.stringContaining('@') },
      key: { id: poor.keyId, name: 'test', shown: expect.stringContaining('…') },
      status: 402,
      cost: 0,
      duration_ms: null,
    })
    const all = await idsOf({ limit: '100' })
    expect(all).toEqual(expect.arrayContaining([first, other, failed, refused]))
    expect(all).toEqual(all.toSorted().toReversed())
  })

  it('pages without a gap, and answers wrong values with 400', async () => {
    const caller = await gateway.createClient()
    const ids = [await ask(caller.key), await ask(caller.key), await ask(caller.key)].toReversed()
    const path = `/api/admin/requests?customer=${caller.userId}&limit=2`
    const page = await gateway.as(operator).get(path)
    expect(page.json['next_cursor']).toBe(ids[1])
    const rest = await gateway.as(operator).get(`${path}&before=${ids[1]}`)
    expect(rest.json).toMatchObject({ data: [{ id: ids[2] }], next_cursor: null })
    for (const wrong of ['outcome=lost', 'id=7', 'key=7', 'before=7', 'from=soon', 'limit=0']) {
      expect((await gateway.as(operator).get(`/api/admin/requests?${wrong}`)).status).toBe(400)
    }
    expect((await gateway.as(operator).get('/api/admin/requests?customer=nobody')).status).toBe(404)
  })

  it('shows the one charge of a request, which answers whether it was charged twice', async () => {
    const caller = await gateway.createClient()
    const id = await ask(caller.key)
    const found = await gateway.as(operator).get(`/api/admin/requests/${id}`)
    const { charged } = await gateway.walletOf(caller.walletId)
    expect(found.json['transfers']).toMatchObject([{ kind: 'charge', generation_id: id, amount: -Number(charged) }])
  })

  it('reads a bounded number of rows, for one wallet and for all', async () => {
    const { pool } = gateway
    const caller = await gateway.createClient()
    await pool.query(
      `INSERT INTO refusals (id, wallet_id, key_id, endpoint, error, status)
       SELECT (to_hex(4026531840 + n) || '-0000-7000-8000-000000000000')::uuid, gen_random_uuid(), gen_random_uuid(), 'chat', 'creditExhausted', 402
       FROM generate_series(1, 20000) n`,
    )
    await pool.query('ANALYZE refusals')
    const filter = {
      id: null,
      walletId: null,
      keyId: null,
      model: null,
      provider: null,
      outcome: null,
      error: null,
      fromMs: null,
      toMs: null,
    }
    const nowMs = Date.now()
    const range = { from: firstUuidAt(nowMs - 30 * dayMs), before: 'ffffffff-ffff-ffff-ffff-ffffffffffff' }
    const seen = (more: object, lookMax: number) =>
      rowsSeen(pool, requestStatement({ filter: { ...filter, ...more }, ...range, lookMax, limit: 21 }))
    expect(await seen({}, 100)).toBeLessThan(1_500)
    expect(await seen({ outcome: 'refused', keyId: newUuid(nowMs) }, 100)).toBeLessThan(1_500)
    expect(await seen({ walletId: caller.walletId }, 10_000)).toBeLessThan(100)
  })
})
