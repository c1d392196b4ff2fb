import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type PaymentWorld, startPaymentWorld } from './payment-world.ts'

describe('payments over several gateways and a worker', () => {
  let world: PaymentWorld
  beforeAll(async () => {
    world = await startPaymentWorld({ gateways: 3 })
  })
  afterAll(() => world.close())
  // After every test the ledger agrees with itself and with the provider's ledger.
  afterEach(async () => {
    await world.deliver()
    await world.keepBooks()
    expect(await world.audit()).toEqual([])
  })

  it('P1 commits the order before the provider is asked, with its id in all three places', async () => {
    const payer = await world.payer()
    let committed: unknown[] = []
    world.provider.onCall = async () => {
      committed = (await world.pool.query('SELECT state FROM top_ups WHERE wallet_id = $1', [payer.walletId])).rows
    }
    const order = await world.order(payer, 12.34)
    world.provider.onCall = () => {}
    expect(committed).toEqual([{ state: 'open' }])
    expect(order).toMatchObject({
      state: 'open',
      credit: 12.34,
      fee: 1.24,
      tax: 0,
      total: 13.58,
      currency: 'usd',
      test: true,
      checkout_url: expect.stringContaining(world.provider.url),
    })
    expect(world.provider.calls.at(-1)).toMatchObject({ idempotencyKey: order['id'] })
    expect(world.provider.state.sessionOf(String(order['id']))).toMatchObject({ metadata: { top_up_id: order['id'] } })
  })

  it('P1 leaves an order that the worker finishes where the gateway lost the page', async () => {
    const payer = await world.payer()
    world.provider.failNext('POST /v1/checkout/sessions', 'hang-up', 'hang-up', 'hang-up')
    const refused = await world.as(payer.session).send('POST', `/api/wallets/${payer.walletId}/top-ups`, { amount: 25 })
    expect(refused.status).toBe(503)
    expect(refused.json).toMatchObject({ error: { code: 'payments_unavailable' } })
    const sessions = [...world.provider.state.sessions.values()].slice(-1)
    await world.letPass()
    await world.work('payments')
    const { rows } = await world.pool.query('SELECT id, checkout_ref, state FROM top_ups WHERE wallet_id = $1', [
      payer.walletId,
    ])
    expect(rows).toMatchObject([{ checkout_ref: sessions[0]?.id, state: 'open' }])
    world.provider.state.expire(sessions[0]?.id ?? '')
    await world.letPass()
    await world.work('payments')
    expect(await world.read(payer, rows[0]?.id)).toMatchObject({ state: 'expired', checkout_url: null })
  })

  it('P2 quotes what a card can be charged, before payment', async () => {
    const payer = await world.payer()
    const quote = async (query: string) =>
      (await world.as(payer.session).send('GET', `/api/payments/quote?${query}`)).json
    expect(await quote('amount=12.34')).toEqual({
      data: {
        currency: 'usd',
        rate: null,
        lines: [
          { item: 'credit', amount: 12.34, charged: 12.34, percent: null },
          { item: 'fee', amount: 1.24, charged: 1.24, percent: 10 },
        ],
        total: 13.58,
      },
    })
    for (const query of [
      'amount=12.345',
      'amount=4.99',
      'amount=10000.01',
      'amount=25&currency=eur',
      'amount=',
      'amount=x',
    ]) {
      expect(await quote(query), query).toMatchObject({ error: { code: 400 } })
    }
  })

  it.each(['truncate', 'stale', 'forge'] as const)(
    'P4 refuses a webhook with 400 where its signature fails: %s',
    async (fault) => {
      const payer = await world.payer()
      const { id } = await world.order(payer)
      world.provider.webhooks.failNext(fault)
      world.pay(id)
      await world.provider.webhooks.settled()
      expect(world.provider.webhooks.deliveries.at(-1)?.status).toBe(400)
      expect(await world.balanceOf(payer)).toBe('0')
      // The provider sends the event again.
      expect(await world.deliver()).toEqual([200])
      expect(await world.balanceOf(payer)).toBe('25')
    },
  )

  it('P5 answers other than 2xx while anything fails, and credits when it is sent again', async () => {
    const payer = await world.payer()
    const { id } = await world.order(payer)
    world.pay(id)
    world.provider.failNext('GET /v1/checkout/sessions', '500-before', '500-before', '500-before')
    expect(await world.deliver()).toEqual([503])
    await world.pool.query('ALTER TABLE payment_events RENAME TO payment_events_away')
    expect(await world.deliver()).toEqual([500])
    await world.pool.query('ALTER TABLE payment_events_away RENAME TO payment_events')
    expect(await world.balanceOf(payer)).toBe('0')
    expect(await world.deliver()).toEqual([200])
    expect(await world.balanceOf(payer)).toBe('25')
  })

  it('P5 notes events of other things, so that they are not sent for ever', async () => {
    world.provider.state.tellOther('customer.created', { id: 'cus_1', object: 'customer' })
    world.provider.state.tellOther('refund.created', { id: 're_9', object: 'refund', payment_intent: null })
    expect(await world.deliver()).toEqual([200, 200])
  })

  it('P6 waits for money that is on its way, and ends the same in any order of news', async () => {
    const payer = await world.payer()
    const { id } = await world.order(payer, 100)
    const paymentId = world.pay(id, { later: true })
    expect(await world.deliver()).toEqual([200])
    expect(await world.read(payer, id)).toMatchObject({ state: 'open', paid: 0 })
    const session = world.provider.state.sessionOf(String(id))
    world.provider.state.succeedLate(session?.id ?? '')
    world.provider.state.refund(paymentId, 1_100)
    const dispute = world.provider.state.dispute(paymentId, { amount: 5_500 })
    world.provider.state.win(dispute.id)
    expect(await world.deliver({ isReversed: true })).toEqual([200, 200, 200, 200, 200, 200])
    expect(await world.read(payer, id)).toMatchObject({
      state: 'partly_refunded',
      paid: 110,
      refunded: 11,
      disputed: 0,
    })
    expect(await world.balanceOf(payer)).toBe('90')
  })

  it('P7 credits what was paid less its fee where that is another amount, and parks what it cannot credit', async () => {
    const payer = await world.payer()
    const less = await world.order(payer, 100)
    world.pay(less['id'], { amount: 5_500 })
    const other = await world.order(payer, 100)
    const foreign = world.pay(other['id'], { currency: 'eur' })
    expect(await world.deliver()).toEqual([200, 200])
    expect(await world.read(payer, less['id'])).toMatchObject({
      state: 'paid',
      mismatch: 'amount',
      paid: 55,
      credited: 50,
    })
    expect(await world.read(payer, other['id'])).toMatchObject({ state: 'mismatch', mismatch: 'currency', credited: 0 })
    expect(await world.balanceOf(payer)).toBe('50')
    const { rows } = await world.pool.query<{ topUpId: string }>(
      `SELECT details ->> 'topUpId' AS "topUpId" FROM audit_entries WHERE action = 'top_up.mismatch' AND target_id = $1 ORDER BY sequence`,
      [payer.walletId],
    )
    expect(rows.map(({ topUpId }) => topUpId)).toEqual([less['id'], other['id']])
    // The provider has money that the ledger lacks; the audit reports it until it is refunded.
    await world.keepBooks()
    expect(await world.audit()).toMatchObject([
      { subject: `${other['id']} payment`, expected: '0 to 0', found: '11000' },
    ])
    world.provider.state.refund(foreign, 11_000)
    expect(await world.deliver()).toEqual([200])
    expect(await world.read(payer, other['id'])).toMatchObject({ state: 'refunded', mismatch: 'currency' })
  })

  it('P7 refuses an event of the other mode', async () => {
    world.provider.state.isLive = true
    world.provider.state.tellOther('customer.created', { id: 'cus_1', object: 'customer' })
    world.provider.state.isLive = false
    const event = world.provider.state.events.pop()
    expect(await world.deliver()).toEqual([400])
    if (event !== undefined)
      expect((await world.provider.webhooks.send({ ...event, livemode: false })).status).toBe(200)
    world.provider.webhooks.forget()
  })

  it('P8 finds what no webhook has told: the worker asks, reads the list of events, and follows the books', async () => {
    const asked = await world.payer()
    const first = await world.order(asked)
    world.provider.webhooks.failNext('drop')
    world.pay(first['id'])
    await world.work('payments')
    expect(await world.balanceOf(asked)).toBe('0')
    await world.letPass()
    await world.work('payments')
    expect(await world.balanceOf(asked)).toBe('25')

    const { payer: listed, paymentId } = await world.paidOrder()
    world.provider.webhooks.failNext('drop')
    world.provider.state.refund(paymentId, 2_750)
    await world.work('payment-events')
    expect(await world.balanceOf(listed)).toBe('0')

    const { payer: followed, paymentId: other } = await world.paidOrder()
    world.provider.webhooks.failNext('drop')
    world.provider.state.refund(other, 2_750)
    // The event list was read to the end without finding this event.
    world.provider.state.events.pop()
    await world.work('payment-books')
    expect(await world.balanceOf(followed)).toBe('0')
  })

  it('P8 lets the page of the payer ask once, and credits nothing by itself', async () => {
    const payer = await world.payer()
    const { id } = await world.order(payer)
    const check = async () =>
      world.as(payer.session).send('POST', `/api/wallets/${payer.walletId}/top-ups/${String(id)}/check`)
    expect((await check()).json).toMatchObject({ data: { state: 'open' } })
    expect(await world.balanceOf(payer)).toBe('0')
    world.provider.webhooks.failNext('drop')
    world.pay(id)
    expect((await world.read(payer, id))['state']).toBe('open')
    expect((await check()).json).toMatchObject({ data: { state: 'paid' } })
    expect(await world.balanceOf(payer)).toBe('25')
  })

  it('P12 lets a person take their orders along, also those for an organization, and nothing of what the processor took', async () => {
    const { payer, id } = await world.paidOrder(25)
    const organization = await world.createOrganization()
    await world.addMember(organization.id, { role: 'org_admin', userId: payer.userId })
    const path = `/api/wallets/${organization.walletId}/top-ups`
    const other = await world.as(payer.session).send('POST', path, { amount: 50 })
    expect(other.status).toBe(201)
    await world.order(await world.payer(), 25)
    const { text } = await world.as(payer.session).send('GET', '/api/account/export')
    const records = text
      .trim()
      .split('\n')
      .map((line): Record<string, unknown> => JSON.parse(line))
    expect(records.filter(({ kind }) => kind === 'order')).toMatchObject([
      { id, state: 'paid', credit: 25, total: 27.5, wallet_id: payer.walletId },
      { state: 'open', credit: 50, wallet_id: organization.walletId },
    ])
    expect(records.filter(({ kind }) => kind === 'transfer')).toMatchObject([
      { transfer: 'top_up', id, amount_usd: '25' },
      { transfer: 'fee', id, amount_usd: '2.5' },
    ])
    expect(text).not.toContain('processor')
  })

  it('P8 gives an order up after three days without a payment, and still credits one that comes later', async () => {
    const payer = await world.payer()
    const { id } = await world.order(payer)
    await world.pool.query(`UPDATE top_ups SET created_at = now() - interval '73 hours' WHERE id = $1`, [id])
    await world.letPass()
    await world.work('payments')
    expect(await world.read(payer, id)).toMatchObject({ state: 'expired' })
    world.pay(id)
    expect(await world.deliver()).toEqual([200])
    expect(await world.read(payer, id)).toMatchObject({ state: 'paid' })
    expect(await world.balanceOf(payer)).toBe('25')
  })
})
