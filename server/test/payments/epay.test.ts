import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { EpaySimulator } from '#test/simulators/payments/start-epay.ts'
import { type Payer, type PaymentWorld, startPaymentWorld } from './payment-world.ts'

// 25 USD, 10 % fee and 5 % tax, each line at 7.25: 181.25 + 18.13 + 9.07.
const cny = { currency: 'cny' }

describe('a local-currency channel by the epay protocol', () => {
  let world: PaymentWorld
  const epay = new EpaySimulator()
  beforeAll(async () => {
    await epay.listen()
    world = await startPaymentWorld({
      gateways: 2,
      environment: {
        WEIR_PAYMENTS_EPAY_URL: epay.url,
        WEIR_PAYMENTS_EPAY_MERCHANT_ID: epay.merchantId,
        WEIR_PAYMENTS_EPAY_KEY: epay.key,
        WEIR_PAYMENTS_CURRENCIES: 'cny=7.25',
      },
    })
  })
  afterAll(async () => {
    await world.close()
    await epay.close()
  })
  afterEach(async () => {
    epay.manner = 'plain'
    expect(await world.audit()).toEqual([])
  })

  /** Creates an order whose payment page the payer has opened. */
  async function opened(credit = 25): Promise<{ payer: Payer; order: JsonObject; id: string }> {
    const payer = await world.payer()
    const order = await world.order(payer, credit, { ...cny, provider: 'epay' })
    const page = await fetch(String(order['checkout_url']))
    expect([page.status, await page.text()]).toEqual([200, `<p>${String(order['total'])}</p>`])
    return { payer, order, id: String(order['id']) }
  }
  const tell = (id: string, changes?: Record<string, string>, key?: string) =>
    epay.notify(world.gateways[1] ?? '', epay.noticeOf(epay.orderOf(id), changes, key))
  const creditOf = async (payer: Payer) => Number(await world.balanceOf(payer))

  it('is offered beside the other provider, with its own currency', async () => {
    const payer = await world.payer()
    const { json } = await world.as(payer.session).send('GET', '/api/payments')
    expect(json).toMatchObject({
      data: {
        currencies: ['usd', 'cny'],
        providers: [
          { name: 'stripe', test: true, saves_methods: true, currencies: ['usd', 'cny'] },
          { name: 'epay', test: false, saves_methods: false, currencies: ['cny'] },
        ],
      },
    })
    const send = (body: JsonObject) =>
      world.as(payer.session).send('POST', `/api/wallets/${payer.walletId}/top-ups`, { amount: 25, ...body })
    expect((await send({ provider: 'epay' })).status).toBe(400)
    expect((await send({ provider: 'nobody' })).status).toBe(400)
    expect((await send({ provider: 7 })).status).toBe(400)
    // epay stores no cards.
    expect((await send({ ...cny, provider: 'epay', save_method: true })).status).toBe(409)
    expect((await send(cny)).json).toMatchObject({ data: { provider: 'stripe', currency: 'cny' } })
  })

  it('P2 quotes rate, fee and tax line by line, and its page asks for just that', async () => {
    const { order, id } = await opened()
    expect(order).toMatchObject({ provider: 'epay', credit: 25, fee: 2.5, tax: 1.25, rate: '7.25', total: 208.45 })
    expect(epay.orderOf(id)).toMatchObject({
      money: '208.45',
      notifyUrl: expect.stringMatching(/\/api\/payments\/epay\/notify$/),
      returnUrl: expect.stringContaining(`/console/credits?top_up=${id}`),
    })
  })

  it.each(['GET', 'POST'] as const)('P3 credits a payment once that is told of by %s, in dollars', async (method) => {
    const { payer, id } = await opened()
    epay.pay(id)
    const notice = epay.noticeOf(epay.orderOf(id))
    const told = await Promise.all(
      Array.from({ length: 20 }, (_, index) => epay.notify(world.gateways[index % 2] ?? '', notice, method)),
    )
    expect(new Set(told.map(String))).toEqual(new Set(['200,success']))
    expect(await creditOf(payer)).toBe(25)
    expect(await world.transfersOf(payer.walletId)).toEqual([
      'top_up cash>wallet 25',
      'fee cash>fees 2.5',
      'tax cash>tax 1.25',
    ])
    expect(await world.read(payer, id)).toMatchObject({ state: 'paid', paid: 208.45, credited: 25 })
  })

  it('P4 believes no notice that another key has signed, that was changed, or that is of another merchant', async () => {
    const { payer, id } = await opened()
    epay.pay(id)
    expect((await tell(id, {}, 'another-key'))[0]).toBe(400)
    const changed = epay.noticeOf(epay.orderOf(id))
    changed.set('money', '1.00')
    expect((await epay.notify(world.url, changed))[0]).toBe(400)
    expect((await tell(id, { pid: '2002' }))[0]).toBe(400)
    expect(await creditOf(payer)).toBe(0)
  })

  it.each(['plain', 'trade-status', 'nested'] as const)(
    'P6 asks the service itself whether it was paid, which answers in a %s manner',
    async (manner) => {
      const { payer, id } = await opened()
      epay.manner = manner
      expect(await tell(id)).toEqual([200, 'success'])
      expect(await creditOf(payer)).toBe(0)
      epay.pay(id)
      expect(await tell(id, { trade_status: 'TRADE_FINISHED' })).toEqual([200, 'success'])
      expect(await creditOf(payer)).toBe(25)
    },
  )

  it('P5 has the notice sent again while the service cannot be asked', async () => {
    const { payer, id } = await opened()
    epay.pay(id)
    epay.faults = ['500', 'page', 'redirect']
    expect((await tell(id))[0]).toBe(503)
    expect((await tell(id))[0]).toBe(503)
    const [status, text] = await tell(id)
    expect(status).toBe(503)
    expect(text).not.toContain(epay.key)
    expect(await tell(id)).toEqual([200, 'success'])
    expect(await creditOf(payer)).toBe(25)
  })

  it('P7 credits another amount as far as it was paid, and nothing of an order that is not ours', async () => {
    const less = await opened()
    epay.pay(less.id, '104.23')
    await tell(less.id)
    expect(await world.read(less.payer, less.id)).toMatchObject({ state: 'paid', mismatch: 'amount', credited: 12.5 })
    const foreign = await opened()
    epay.pay(foreign.id)
    epay.faults = ['foreign']
    await tell(foreign.id)
    expect(await world.read(foreign.payer, foreign.id)).toMatchObject({ state: 'mismatch', mismatch: 'order' })
    expect(await creditOf(foreign.payer)).toBe(0)
  })

  it('P8 finds a payment whose notice was lost, and gives an order up that nobody paid for a day', async () => {
    const paid = await opened()
    const left = await opened()
    epay.pay(paid.id)
    await world.letPass()
    await world.work('payments')
    expect(await creditOf(paid.payer)).toBe(25)
    expect(await world.read(left.payer, left.id)).toMatchObject({ state: 'open' })
    await world.pool.query(`UPDATE top_ups SET created_at = now() - interval '25 hours' WHERE id = $1`, [left.id])
    await world.letPass()
    await world.work('payments')
    expect(await world.read(left.payer, left.id)).toMatchObject({ state: 'expired' })
    epay.pay(left.id)
    await tell(left.id)
    expect(await world.read(left.payer, left.id)).toMatchObject({ state: 'paid' })
  })

  it('P9 books what an operator has sent back there, once for each key', async () => {
    const { payer, id } = await opened()
    epay.pay(id)
    await tell(id)
    const operator = await world.addOperatorKey()
    const refund = (key: string) =>
      world
        .as(operator)
        .send('POST', `/api/admin/top-ups/${id}/refund`, { amount: 104.23 }, { headers: { 'idempotency-key': key } })
    const before = epay.asked
    expect((await refund('one')).json).toMatchObject({ data: { state: 'partly_refunded', refunded: 104.23 } })
    expect((await refund('one')).json).toMatchObject({ data: { refunded: 104.23 } })
    expect(epay.asked).toBe(before)
    expect(await creditOf(payer)).toBe(12.5)
    // Later events about the payment leave the refund unchanged.
    await tell(id, { trade_status: 'TRADE_FINISHED' })
    expect(await world.read(payer, id)).toMatchObject({ state: 'partly_refunded', refunded: 104.23 })
  })
})
