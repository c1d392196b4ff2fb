import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dayMs } from '#test/setup/day.ts'
import { type MoneyWorld, startMoneyWorld } from '#test/money/money-world.ts'
import { vendorCompletion } from '#test/simulators/scenarios/vendor-completion.ts'
import { rollUpUsage } from '#test/usage/roll-up-usage.ts'

describe("the operator's earnings", () => {
  let world: MoneyWorld
  let operator: string
  beforeAll(async () => {
    world = await startMoneyWorld()
    operator = (await world.addOperatorKey()).key
    const usage = { prompt: 1_000, completion: 500 }
    world.upstream.play(vendorCompletion('openai', { kind: 'text', pieces: ['Hi'], usage }))
  })
  afterAll(() => world.close())

  const ask = async (path: string) => (await world.as(operator).get(`/api/admin${path}`)).json
  const change = (body: object) => world.as(operator).send('PATCH', '/api/admin/providers/openai', body)

  it('change with the discount of an account, and charges do not', async () => {
    const client = await world.createClient()
    const terms = { max_tokens: 500 }
    expect((await world.call(client, terms)).status).toBe(200)
    await world.settled()
    expect(await change({ discountPercent: 12.5 })).toMatchObject({ status: 200, json: { discountPercent: 12.5 } })
    await world.gateway.refresh()
    expect((await world.call(client, terms)).status).toBe(200)
    await world.settled()
    await rollUpUsage(world.pool)

    // 1,000 tokens at 1.5 and 500 at 12 a million.
    const sums = { requests: 2, charged: 0.015, absorbed: 0, provider_cost: 0.0140625, margin: 0.0009375 }
    const [from, to] = [dayOf(2), dayOf(-1)]
    const { rows } = await world.pool.query<{ email: string }>('SELECT email FROM users WHERE id = $1', [client.userId])
    const customer = { kind: 'user', id: client.userId, name: rows[0]?.email }
    expect(await ask(`/earnings?by=provider&from=${from}&to=${to}`)).toEqual({
      from,
      to,
      by: 'provider',
      total: sums,
      data: [{ key: 'openai', customer: null, ...sums }],
    })
    expect(await ask(`/earnings?by=customer&from=${from}`)).toMatchObject({
      data: [{ key: client.walletId, customer, ...sums }],
    })
    expect(await ask(`/earnings?from=2026-01-01&to=2026-01-31`)).toMatchObject({ total: { requests: 0 }, data: [] })

    const { id } = await world.lastRecord(client)
    expect(await ask(`/requests/gen-${id.replaceAll('-', '')}`)).toMatchObject({
      provider_cost: 0.0065625,
      receipt: { total_cost: 0.0075 },
    })
    await world.expectSoundBooks()
  })

  it('are for operators alone: the receipt of a client does not name them', async () => {
    const client = await world.createClient()
    await world.call(client, { max_tokens: 500 })
    await world.settled()
    const { id } = await world.lastRecord(client)
    const receipt = await world.as(client.key).get(`/v1/generation?id=gen-${id.replaceAll('-', '')}`)
    expect(receipt.status).toBe(200)
    expect(receipt.text).not.toMatch(/provider_?cost|purchase|discount_?p|65625/i)
    expect((await world.as(client.key).get('/api/admin/earnings')).status).toBe(403)
  })

  it.each([
    ['by=week', 'by'],
    ['from=2026-13-01', 'from'],
    ['from=2026-02-02&to=2026-02-01', 'to'],
    ['limit=0', 'limit'],
  ])('reject the query %s', async (query, name) => {
    const { status, text } = await world.as(operator).get(`/api/admin/earnings?${query}`)
    expect(status).toBe(400)
    expect(text).toContain(`The query parameter ${name} must be`)
  })

  it.each([[-1], [101], [1.00001], ['5'], [null]])('reject a discount of %j', async (discountPercent) => {
    const { status, text } = await change({ discountPercent })
    expect(status).toBe(400)
    expect(text).toContain('discountPercent')
  })
})

function dayOf(ageDays: number): string {
  return new Date(Date.now() - ageDays * dayMs).toISOString().slice(0, 10)
}
