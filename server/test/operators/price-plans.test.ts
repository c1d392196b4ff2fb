import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noUsage } from '#domain/inference/usage.ts'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import { type JsonObject, objectAt } from '#lib/json.ts'
import { settleGenerations } from '#store/postgres/money/settle-generations.sql.ts'
import { settleEntry } from '#test/money/settles.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import { newUuid } from '#lib/uuid.ts'

const model = 'acme/one'
const catalogue = '/api/admin/catalogue'

describe('price plans', () => {
  let gateway: TestGateway
  let operator: { keyId: string; key: string }
  beforeAll(async () => {
    gateway = await startTestGateway()
    operator = await gateway.addOperatorKey()
  })
  afterAll(() => gateway.close())

  const get = (path: string) => gateway.as(operator.key).get(`${catalogue}${path}`)
  const post = (path: string, body: JsonObject) => gateway.as(operator.key).post(`${catalogue}${path}`, body)

  async function planOf(usd: string, sellers: readonly string[] = []): Promise<JsonObject> {
    const { status, json, text } = await post('/plan', { name: 'models.json', file: fileOf(usd, sellers) })
    expect(status, text).toBe(201)
    return objectAt(json, 'data')
  }

  async function approve(usd: string, sellers: readonly string[] = []): Promise<void> {
    const { id } = await planOf(usd, sellers)
    const { status, text } = await post('/plan/approve', { planId: String(id), doubtful: 'confirm' })
    expect(status, text).toBe(200)
  }

  it('plans a file, shows who is affected by name, and changes nothing before it is approved', async () => {
    expect((await get('/undo')).json).toEqual({ data: null })
    await approve('0.000001')
    const organization = await gateway.createOrganization({ name: 'Heavy Users' })
    await settle(gateway, organization.walletId)
    const plan = await planOf('0.0000015')
    expect(plan).toMatchObject({
      sources: ['models.json'],
      stale: false,
      changes: expect.arrayContaining([
        { model, what: 'price', where: 'acme prompt', from: '0.000001', to: '0.0000015', doubt: null },
      ]),
      impact: [{ model, provider: 'acme', requests: 1, customers: 1, charged: 0.001, would_be: 0.0015 }],
      customers: [
        {
          wallet_id: organization.walletId,
          customer: { kind: 'organization', id: organization.id, name: 'Heavy Users' },
          requests: 1,
          charged: 0.001,
          models: [model],
        },
      ],
    })
    expect((await get('/plan')).json['data']).toEqual(plan)
    expect(await promptPrice()).toBe('0.000001')
    const approved = await post('/plan/approve', { planId: String(plan['id']) })
    expect([approved.status, approved.json]).toMatchObject([200, { data: { models: 1, prices_added: 1 } }])
    expect(await promptPrice()).toBe('0.0000015')
    expect((await get('/plan')).json).toEqual({ data: null })
    expect((await post('/plan', { file: fileOf('0.0000015') })).json).toEqual({ data: null })
  })

  it('a change that looks like a mistake needs a confirmation', async () => {
    const plan = await planOf('0.000015')
    const refused = await post('/plan/approve', { planId: String(plan['id']) })
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('look like mistakes')])
    expect(await promptPrice()).toBe('0.0000015')
    expect((await post('/plan/approve', { planId: String(plan['id']), doubtful: 'skip' })).status).toBe(200)
    expect(await promptPrice()).toBe('0.0000015')
    await approve('0.000015')
    expect(await promptPrice()).toBe('0.000015')
  })

  it('undoes the import that the operator has seen, and no other', async () => {
    const { json } = await get('/undo')
    const undo = objectAt(json, 'data')
    expect(undo).toMatchObject({
      plan: { changes: expect.arrayContaining([expect.objectContaining({ from: '0.000015', to: '0.0000015' })]) },
    })
    expect((await post('/undo', { importId: newUuid(0) })).status).toBe(409)
    expect(await promptPrice()).toBe('0.000015')
    expect((await post('/undo', { importId: String(undo['import_id']) })).status).toBe(200)
    expect(await promptPrice()).toBe('0.0000015')
  })

  it('a plan is rejected, and one whose catalogue has changed cannot be applied', async () => {
    const first = await planOf('0.0000016')
    expect((await post('/plan/reject', { planId: String(first['id']) })).status).toBe(204)
    expect((await post('/plan/reject', { planId: String(first['id']) })).status).toBe(404)
    const second = await planOf('0.0000017')
    await gateway.pool.query("UPDATE revisions SET revision = revision + 1 WHERE topic = 'catalogue'")
    expect((await get('/plan')).json).toMatchObject({ data: { id: second['id'], stale: true } })
    expect((await post('/plan/approve', { planId: String(second['id']) })).status).toBe(409)
    expect(await promptPrice()).toBe('0.0000015')
    // What the last import left is no longer there.
    expect((await get('/undo')).status).toBe(409)
  })

  it('the history names the actor of each change', async () => {
    const { json } = await get('/history?limit=2')
    expect(json).toMatchObject({
      data: [
        { action: 'catalogue.reject', actor: { kind: 'operator', id: operator.keyId } },
        { action: 'catalogue.undo', actor: { kind: 'operator', id: operator.keyId } },
      ],
      next_cursor: expect.any(String),
    })
    const rest = await get(`/history?limit=200&before=${String(json['next_cursor'])}`)
    expect((rest.json['data'] as JsonObject[]).map(({ action }) => action)).toEqual([
      'catalogue.approve',
      'catalogue.approve',
      'catalogue.approve',
    ])
  })

  it.each([
    ['/plan', { file: '{' }],
    ['/plan', { file: '[{"id":"acme/one","pricing":{"prompt":"free"}}]' }],
    ['/plan', {}],
    ['/plan/approve', {}],
    ['/plan/reject', {}],
    ['/undo', {}],
  ])('POST %s with %j is refused with 400', async (path, body) => {
    expect((await post(path, body)).status).toBe(400)
  })

  async function promptPrice(): Promise<string | undefined> {
    const { rows } = await gateway.pool.query<{ usd: string }>(
      `SELECT units->>'prompt' AS usd FROM prices WHERE model_id = $1 ORDER BY valid_from DESC LIMIT 1`,
      [model],
    )
    return rows[0]?.usd
  }
})

function fileOf(usd: string, sellers: readonly string[] = []): string {
  const pricing = { prompt: usd, completion: usd }
  const offers = sellers.map((provider) => ({ provider, upstream_model_id: 'name', pricing }))
  const modalities = { input_modalities: ['text'], output_modalities: ['text'] }
  return JSON.stringify([
    { id: model, kind: 'chat', provider: 'acme', upstream_model_id: 'name', ...modalities, pricing, offers },
  ])
}

/** A request of yesterday with 1,000 tokens. */
async function settle({ pool }: TestGateway, walletId: string): Promise<void> {
  const startedAtMs = Date.now() - 86_400_000
  const cost = nanoUsd(1_000_000n)
  const { record } = settleEntry({ id: newUuid(startedAtMs), walletId, keyId: newUuid(0), userId: null }, cost, {
    startedAtMs,
  })
  const usage = { ...noUsage, uncachedInput: 1_000 }
  await settleGenerations(pool, [{ record: { ...record, model, provider: 'acme', usage, cost }, windows: [] }])
}
