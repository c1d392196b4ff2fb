import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type JsonObject, objectAt } from '#lib/json.ts'
import { type ByokWorld, startByokWorld } from '#test/routing/byok-world.ts'
import { faults } from '#test/simulators/scenarios/faults.ts'

const model = 'openai/gpt-5.2'

describe('supply', () => {
  let world: ByokWorld
  let operator: string
  beforeAll(async () => {
    world = await startByokWorld()
    operator = (await world.addOperatorKey()).key
  })
  afterAll(() => world.close())

  const get = (path: string) => world.as(operator).get(`/api/admin${path}`)

  async function explained(query: string): Promise<JsonObject> {
    await world.gateway.refresh()
    const { status, json, text } = await get(`/routes/explanation?${query}`)
    expect(status, text).toBe(200)
    return objectAt(json, 'data')
  }

  async function stepsOf(query = `model=${model}`): Promise<unknown[]> {
    const { accounts } = await explained(query)
    return Array.isArray(accounts) ? accounts : []
  }

  const send = (method: string, path: string, body?: object) =>
    world.as(operator).send(method, `/api/admin${path}`, body)

  it('explains the order of accounts: by route and priority, shared by weight, and what is skipped', async () => {
    for (const [name, weight] of [
      ['openai-2', 3],
      ['openai-spare', 1],
    ] as const) {
      await send('POST', '/providers', { vendor: 'openai', name, key: 'k', baseUrl: world.platform.url, weight })
    }
    await send('POST', '/routes', { pattern: 'openai/*', account: 'openai-2' })
    expect(await stepsOf()).toEqual([
      step('openai', 'first', 'Route openai/* names it with priority 0. It gets 1 of 4 conversations'),
      step('openai-2', 'first', 'Route openai/* names it with priority 0. It gets 3 of 4 conversations'),
      step('openai-spare', 'skipped', 'Route openai/* decides, and none of its routes names this account.', null),
    ])
    await send('POST', '/routes', { pattern: 'openai/*', account: 'openai-spare', priority: 9, upstreamModel: 'late' })
    await send('PATCH', '/providers/openai-2', { enabled: false })
    expect(await stepsOf()).toEqual([
      step('openai', 'first', 'Route openai/* names it with priority 0.'),
      step('openai-spare', 'fallback', 'Route openai/* names it with priority 9.', 'late'),
      step('openai-2', 'skipped', 'The account is disabled.', null),
    ])
    expect(await explained('model=gpt-5.2')).toMatchObject({ model, pattern: 'openai/*', refusal: null })
  })

  it('skips an account with an open circuit, with the reason of the circuit', async () => {
    await world.pool.query(
      `INSERT INTO provider_circuits (account_id, upstream_model, gateway, reason, opened_at, tried_at)
       SELECT id, 'gpt-5.2', 'elsewhere 1', 'upstream_error (500)', '2026-03-04T02:10:00Z', clock_timestamp()
       FROM provider_accounts WHERE name = 'openai'`,
    )
    expect(await stepsOf()).toMatchObject([
      { account: 'openai-spare', verdict: 'first' },
      {
        account: 'openai',
        verdict: 'skipped',
        reason: 'Its circuit has been open since 2026-03-04 02:10 UTC on 1 gateway: upstream_error (500).',
      },
      { account: 'openai-2', verdict: 'skipped' },
    ])
    await world.pool.query('DELETE FROM provider_circuits')
  })

  it('puts the own key of an organization first, and tells what the organization does not allow', async () => {
    const home = await world.newByokHome()
    await home.addOwnKey({ fallbackMode: 'strict' })
    const steps = await stepsOf(`model=${model}&customer=${home.id}`)
    expect(steps).toMatchObject([
      { account: 'Ours', upstream_model: 'our-gpt', own_key: true, verdict: 'first' },
      {
        account: 'openai',
        verdict: 'skipped',
        reason: "An own key without fallback excludes the platform's accounts.",
      },
      { account: 'openai-spare', verdict: 'skipped' },
      { account: 'openai-2', verdict: 'skipped', reason: 'The account is disabled.' },
    ])
    await world.pool.query(`UPDATE organizations SET allowed_models = '{meta/*}' WHERE id = $1`, [home.id])
    expect(await explained(`model=${model}&customer=${home.id}`)).toMatchObject({
      refusal: "The organization's list of allowed models does not contain it.",
    })
    expect(await explained(`model=${model}`)).toMatchObject({ refusal: null })
  })

  it.each([
    ['model=openai/nothing', 404],
    ['', 400],
    [`model=${model}&customer=nobody`, 404],
  ])('explains nothing for %j: %i', async (query, status) => {
    expect((await get(`/routes/explanation?${query}`)).status).toBe(status)
  })

  it("shows the provider's own words about the last failure", async () => {
    world.platform.playNext(faults.serverError(500))
    const { key } = await world.createClient()
    await world.as(key).post('/v1/chat/completions', { model, messages: [{ role: 'user', content: 'Hi' }] })
    await expect
      .poll(async () => (await get('/providers/openai/failures')).json['data'])
      .toMatchObject([{ id: expect.stringMatching(/^gen-/), model, status: 500, said: expect.any(String) }])
    expect((await get('/providers/openai-spare/failures')).json['data']).toEqual([])
    expect((await get('/providers/nothing/failures')).status).toBe(404)
  })

  it('lists models by text, page by page', async () => {
    const all = await get('/catalogue/models?limit=200')
    const ids = listOf(all.json['data']).map(({ id }) => id)
    expect(ids).toEqual([...ids].toSorted())
    const first = await get('/catalogue/models?limit=1&q=openai/')
    expect(listOf(first.json['data'])).toHaveLength(1)
    const next = await get(`/catalogue/models?limit=1&q=openai/&after=${String(first.json['next_cursor'])}`)
    const openai = ids.filter((id) => String(id).startsWith('openai/'))
    expect([...listOf(first.json['data']), ...listOf(next.json['data'])].map(({ id }) => id)).toEqual(
      openai.slice(0, 2),
    )
    expect((await get('/catalogue/models?q=no-such-model')).json).toEqual({ data: [], next_cursor: null })
  })

  it('shows prices per million tokens, the discounts of accounts, and every past price', async () => {
    await send('PATCH', '/providers/openai', { discountPercent: 12.5 })
    const { json } = await get(`/catalogue/model?model=${model}`)
    expect(json['data']).toMatchObject({
      id: model,
      state: 'listed',
      priced: true,
      prices: expect.arrayContaining([{ unit: 'prompt', usd: '1.5', per: 'million', when: '' }]),
      offers: expect.arrayContaining([
        expect.objectContaining({
          provider: 'openai',
          purchase: null,
          accounts: expect.arrayContaining([{ name: 'openai', enabled: true, discount_percent: 12.5 }]),
        }),
      ]),
      history: expect.arrayContaining([
        expect.objectContaining({
          provider: 'openai',
          prices: expect.arrayContaining([{ unit: 'completion', usd: '12', per: 'million', when: '' }]),
        }),
      ]),
    })
    expect((await get('/catalogue/model?model=openai/nothing')).status).toBe(404)
    expect((await get('/catalogue/model')).status).toBe(400)
  })
})

function step(account: string, verdict: string, reason: string, upstreamModel: string | null = 'gpt-5.2') {
  return {
    account,
    provider: 'openai',
    upstream_model: upstreamModel,
    own_key: false,
    verdict,
    reason: expect.stringContaining(reason),
  }
}

function listOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? (value as JsonObject[]) : []
}
