import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { type MoneyWorld, startMoneyWorld } from '#test/money/money-world.ts'
import { vendorCompletion } from '#test/simulators/scenarios/vendor-completion.ts'
import { rollUpUsage } from '#test/usage/roll-up-usage.ts'

describe('the accounting endpoints', () => {
  let world: MoneyWorld
  let operator: string
  beforeAll(async () => {
    world = await startMoneyWorld()
    operator = (await world.addOperatorKey()).key
    const usage = { prompt: 1_000, completion: 500 }
    world.upstream.play(vendorCompletion('openai', { kind: 'text', pieces: ['Hi'], usage }))
  })
  afterAll(() => world.close())

  const ask = (method: string, path: string) =>
    world.as(operator).send(method, `/api/admin/accounting${path}`, undefined)

  it('show a charged request as revenue and provider cost, as JSON and as CSV', async () => {
    const client = await world.createClient({ usd: '10' })
    expect((await world.call(client, { max_tokens: 500 })).status).toBe(200)
    await world.settled()
    await rollUpUsage(world.pool)
    // Nothing of the test depends on the month in which it runs.
    await world.pool.query(`UPDATE ledger_transfers SET created_at = '2026-01-15T00:00:00Z' WHERE kind <> 'charge'`)
    await world.pool.query(`UPDATE ledger_transfers SET created_at = '2026-01-16T00:00:00Z',
      id = overlay(id::text placing '019bc000-0000' from 1 for 13)::uuid WHERE kind = 'charge'`)
    await world.pool.query(`UPDATE earning_days SET day = '2026-01-16'`)

    const { status, json } = await ask('GET', '/2026-01')
    expect(status).toBe(200)
    expect(json).toMatchObject({
      books: {
        month: '2026-01',
        revenue: '0.0075',
        expenses: '10.0075',
        result: '-10',
        deferred_credit: { before: '0', after: '9.9925' },
        entries: [
          { kind: 'charge', debit: 'Customer credit', credit: 'Usage revenue', amount: '0.0075', count: 1 },
          { kind: 'grant', debit: 'Promotional credit', credit: 'Customer credit', amount: '10', count: 1 },
          { kind: 'provider_cost', provider: 'openai', credit: 'Payable to providers', amount: '0.0075', count: 1 },
        ],
      },
      closed: null,
      agrees: null,
    })
    const csv = await ask('GET', '/2026-01/journal.csv')
    expect(csv.text.replace('\uFEFF', '').split('\r\n')).toEqual([
      'month,kind,provider,debit,credit,amount_usd,count',
      '2026-01,charge,,Customer credit,Usage revenue,0.0075,1',
      '2026-01,grant,,Promotional credit,Customer credit,10,1',
      '2026-01,provider_cost,openai,Provider cost,Payable to providers,0.0075,1',
      '',
    ])
  })

  it('close a past month once', async () => {
    const closed = await ask('POST', '/2026-01/close')
    expect(closed).toMatchObject({ status: 200, json: { agrees: true, closed: { books: { month: '2026-01' } } } })
    expect((await ask('POST', '/2026-01/close')).status).toBe(409)
    const { sha256 } = (closed.json as { closed: JsonObject }).closed
    expect((await ask('GET', '')).json).toMatchObject({ data: [{ month: '2026-01', sha256 }] })
    expect((await ask('POST', '/2999-01/close')).status).toBe(400)
  })

  it.each(['2026-13', '2026', '1999-01', 'january'])('answer 404 for the month %s', async (month) => {
    expect((await ask('GET', `/${month}`)).status).toBe(404)
    expect((await ask('POST', `/${month}/close`)).status).toBe(404)
  })
})
