import { Client } from 'lago-javascript-client'
import { Stripe } from 'stripe'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import { newUuid } from '#lib/uuid.ts'
import { runWeir } from '#test/audit/run-weir.ts'
import { testSecret } from '#test/setup/gateway.ts'
import { eventually } from '#test/videos/webhook-deliveries.ts'
import { createEventsWorld, type EventsWorld } from './events-world.ts'
import { createLago, createOpenMeter, createStripeMeter } from './metering-systems.ts'

const systems = [
  { sink: 'openmeter', create: createOpenMeter, setting: 'WEIR_EVENTS_OPEN_METER' },
  { sink: 'lago', create: createLago, setting: 'WEIR_EVENTS_LAGO' },
  { sink: 'stripe-meter', create: createStripeMeter, setting: 'WEIR_EVENTS_STRIPE_METER' },
]

const month = new Date().toISOString().slice(0, 7)

describe('metering systems', () => {
  let world: EventsWorld
  let walletId: string
  const customers = new Map<string, string>()
  beforeAll(async () => {
    world = await createEventsWorld()
    walletId = await world.newWallet()
    for (const name of ['cus_ada', 'cus_bob']) {
      const id = newUuid(Date.now())
      customers.set(name, id)
      await world.database.pool.query('INSERT INTO end_customers (id, wallet_id, external_id) VALUES ($1, $2, $3)', [
        id,
        walletId,
        name,
      ])
    }
  })
  afterEach(() => {
    vi.unstubAllEnvs()
  })
  afterAll(() => world.close())

  async function start(setting: string, url: string, more: Record<string, string> = {}) {
    const settings = { [`${setting}_URL`]: url, [`${setting}_HEADERS`]: 'authorization: Bearer key-1', ...more }
    const env = {
      WEIR_SECRET: testSecret,
      WEIR_POSTGRES_URL: world.database.url,
      WEIR_REDIS_URL: 'redis://127.0.0.1:1',
    }
    for (const [name, value] of Object.entries({ ...env, ...settings })) vi.stubEnv(name, value)
    await world.database.pool.query('DELETE FROM event_sinks')
    return world.start(settings)
  }

  const charge = (customer: string | null, nano: bigint, count = 1, others = {}): Promise<string[]> =>
    world.settleSome(count, {
      walletId,
      cost: nanoUsd(nano),
      ...(customer === null ? {} : { endCustomerId: customers.get(customer) ?? '' }),
      ...others,
    })

  it.each(systems)(
    '[NEXT-100][NEXT-101] $sink counts each charge of a customer once, however often it is sent',
    async ({ sink, create, setting }) => {
      const system = create()
      const receiver = await world.receive(system.answer)
      const worker = await start(setting, receiver.url)
      await eventually(async () => (await world.sinkRow(sink)) !== undefined, true)
      const ids = [...(await charge('cus_ada', 1_000_000_001n, 150)), ...(await charge('cus_bob', 7n))]
      await charge(null, 5n)
      await charge('cus_ada', 0n)
      await eventually(() => system.counted.size, ids.length)
      expect([...system.counted.keys()].map((key) => key.replace('weir ', '')).toSorted()).toEqual(ids.toSorted())
      expect(receiver.calls[0]?.headers).toMatchObject({ authorization: 'Bearer key-1' })
      // As after a crash between sending and moving the cursor, with one event that is new.
      const [late = ''] = await charge('cus_bob', 2n)
      await eventually(() => system.counted.size, ids.length + 1)
      await world.database.pool.query('UPDATE event_sinks SET sent_below = 1')
      const calls = receiver.calls.length
      await eventually(() => receiver.calls.length > calls, true)
      await eventually(async () => (await world.sinkRow(sink))?.sent_below !== '1', true)
      expect((await world.sinkRow(sink))?.last_error).toBeNull()
      expect(system.counted.size).toBe(ids.length + 1)
      const compared = await runWeir('events', 'compare', sink, month)
      expect([compared.code, compared.out, compared.error]).toEqual([0, 'All 2 customers match.\n', ''])
      system.counted.delete(sink === 'openmeter' ? `weir ${late}` : late)
      const differing = await runWeir('events', 'compare', sink, month)
      expect(differing.code).toBe(3)
      expect(differing.out).toMatch(/^cus_bob +0\.000000007 +0\.000000009 +-0\.000000002$/m)
      expect(differing.out).not.toContain('cus_ada')
      await worker.stop()
      await world.database.pool.query('DELETE FROM generations')
    },
  )

  it('[NEXT-100] get the events of only one organization, if it is configured', async () => {
    const system = createOpenMeter()
    const organizationId = newUuid(Date.now())
    const worker = await start('WEIR_EVENTS_OPEN_METER', (await world.receive(system.answer)).url, {
      WEIR_EVENTS_METER_ORGANIZATION: organizationId,
    })
    await eventually(async () => (await world.sinkRow('openmeter')) !== undefined, true)
    await charge('cus_ada', 5n, 1, { organizationId: newUuid(Date.now()) })
    await charge('cus_bob', 6n, 1, { organizationId })
    await eventually(() => [...system.counted.values()].map(({ customer }) => customer), ['cus_bob'])
    await worker.stop()
  })

  it('send rejected events again, and log the reason', async () => {
    let isOpen = false
    const system = createLago()
    const receiver = await world.receive((call, response) => {
      if (isOpen) return system.answer(call, response)
      const details = { 0: { transaction_id: ['value_already_exist'], code: ['is_invalid'] } }
      response.writeHead(422).end(JSON.stringify({ error_details: details }))
    })
    const worker = await start('WEIR_EVENTS_LAGO', receiver.url)
    await eventually(async () => (await world.sinkRow('lago')) !== undefined, true)
    await charge('cus_ada', 5n)
    await eventually(async () => (await world.sinkRow('lago'))?.last_error, 'returned 422')
    isOpen = true
    await world.makeDue()
    await eventually(() => system.counted.size, 1)
    await worker.stop()
  })

  it("[NEXT-100] leave out customers that are not Stripe's, and say so", async () => {
    const system = createStripeMeter()
    const receiver = await world.receive(system.answer)
    const worker = await start('WEIR_EVENTS_STRIPE_METER', receiver.url)
    await eventually(async () => (await world.sinkRow('stripe-meter')) !== undefined, true)
    const id = newUuid(Date.now())
    const insert = 'INSERT INTO end_customers (id, wallet_id, external_id) VALUES ($1, $2, $3)'
    await world.database.pool.query(insert, [id, walletId, 'ada@example.com'])
    await charge(null, 5n, 1, { endCustomerId: id })
    await eventually(() => worker.logLines.some(({ remark }) => String(remark).startsWith('skipped 1 events')), true)
    await charge('cus_ada', 6n)
    await eventually(() => [...system.counted.values()].map(({ customer }) => customer), ['cus_ada'])
    await worker.stop()
  })

  it("[NEXT-101] gets what Stripe's and Lago's own clients would send", async () => {
    const receiver = await world.receive((_call, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
    const worker = await start('WEIR_EVENTS_STRIPE_METER', receiver.url, {
      WEIR_EVENTS_LAGO_URL: receiver.url,
    })
    await eventually(async () => (await world.sinkRow('stripe-meter')) !== undefined, true)
    const [id = ''] = await charge('cus_ada', 12_345_678n)
    await eventually(() => receiver.calls.length, 2)
    await worker.stop()
    const bodyAt = (path: string, index: number) =>
      receiver.calls.filter((call) => call.path === path)[index]?.body ?? ''
    const [meterPath, batchPath] = ['/v1/billing/meter_events', '/api/v1/events/batch']
    const form = new URLSearchParams(bodyAt(meterPath, 0))
    const { hostname, port } = new URL(receiver.url)
    const stripe = new Stripe('sk_test_1', { host: hostname, port, protocol: 'http' })
    await stripe.billing.meterEvents.create({
      event_name: 'model_cost',
      identifier: id,
      timestamp: Number(form.get('timestamp')),
      payload: { stripe_customer_id: 'cus_ada', value: '12345678' },
    })
    const theirs = new URLSearchParams(bodyAt(meterPath, 1))
    expect(Object.fromEntries(form)).toEqual(Object.fromEntries(theirs))
    const sent = JSON.parse(bodyAt(batchPath, 0)) as { events: { timestamp: string }[] }
    const lago = Client('key', { baseUrl: `${receiver.url}/api/v1` })
    await lago.events.createBatchEvents({
      events: [
        {
          transaction_id: id,
          external_subscription_id: 'cus_ada',
          code: 'model_cost',
          timestamp: sent.events[0]?.timestamp ?? '',
          precise_total_amount_cents: '1.2345678',
          properties: {
            cost_nano_usd: '12345678',
            cost_usd: '0.012345678',
            prompt_tokens: 0,
            completion_tokens: 0,
            model: 'acme/model',
            endpoint: 'chat',
          },
        },
      ],
    })
    expect(sent).toEqual(JSON.parse(bodyAt(batchPath, 1)))
  })
})
