import { afterAll, beforeAll, expect, it } from 'vitest'
import { parseUsd } from '#domain/money/nano-usd.ts'
import { objectAt } from '#lib/json.ts'
import { createTestClock } from '#test/setup/clock.ts'
import { vendorCompletion } from '#test/simulators/scenarios/vendor-completion.ts'
import { importModels } from './import-models.ts'
import { type MoneyWorld, startMoneyWorld } from './money-world.ts'

// 2029-11-12 is a Monday.
const clock = createTestClock('2029-11-12T00:30:00Z')
const offPeak = 'Mon-Fri 00:00-01:00 04:00-06:00 10:00-24:00; Sat,Sun 00:00-24:00'

let world: MoneyWorld

beforeAll(async () => {
  world = await startMoneyWorld({}, { nowMs: clock.nowMs })
  await importModels(world.pool, [
    {
      id: 'acme/clocked',
      provider: 'openai',
      pricing: { prompt: '0.000002', completion: '0.000004' },
      rules: [
        { unit: 'prompt', usd: '0.000001', utc: offPeak },
        { unit: 'completion', usd: '0.000002', utc: offPeak },
      ],
    },
  ])
  await world.gateway.refresh()
})
afterAll(() => world.close())

it.each([
  ['off the peak', '2029-11-12T00:59:59Z', 120_000n, '0.000001'],
  ['at the peak', '2029-11-12T01:00:00Z', 240_000n, '0.000002'],
  ['at the weekend', '2029-11-17T02:00:00Z', 120_000n, '0.000001'],
])(
  'V7: a request is charged by the time of its arrival, %s, and its receipt says so later',
  async (_what, at, cost, unit) => {
    clock.set(at)
    const caller = await world.createClient()
    world.upstream.play(
      vendorCompletion('openai', { kind: 'text', pieces: ['Hi'], usage: { prompt: 100, completion: 10 } }),
    )
    const reply = await world.call(caller, { model: 'acme/clocked', max_tokens: 10 })
    expect(reply.status, reply.text).toBe(200)
    await world.settled()
    expect(parseUsd((await world.walletOf(caller.walletId)).charged)).toBe(cost)
    clock.forward(3 * 3_600_000)
    const record = await world.get(caller, `/v1/generation?id=${reply.headers.get('x-generation-id')}`)
    expect(objectAt(record, 'receipt').lines).toMatchObject([{ count: 100, unit_price_usd: unit }, { count: 10 }])
    expect(record).toMatchObject({ total_cost: Number(cost) / 1e9, receipt: { total: Number(cost) / 1e9 } })
    await world.expectSoundBooks()
  },
)

it('V7: the list shows the dearest price, and when it is less', async () => {
  const caller = await world.createClient()
  const { json } = await world.as(caller).get('/v1/models/acme/clocked')
  expect(json).toMatchObject({
    pricing: { prompt: '2', completion: '4' },
    pricing_variants: [
      { price: 'prompt', usd: '1', when: { utc: offPeak } },
      { price: 'completion', usd: '2', when: { utc: offPeak } },
    ],
  })
})
