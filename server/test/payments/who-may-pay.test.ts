import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import { type PaymentWorld, startPaymentWorld } from './payment-world.ts'

const idOf = (json: JsonObject): unknown => Reflect.get(Object(json.data), 'id')

describe('P16 buying credit', () => {
  let world: PaymentWorld
  beforeAll(async () => {
    world = await startPaymentWorld({ environment: { WEIR_PAYMENTS_CURRENCIES: 'cny=7.25,jpy=151.2' } })
  })
  afterAll(() => world.close())

  async function member(organizationId: string, role: 'org_admin' | 'billing_viewer' | 'team_admin' | 'member') {
    const team = role === 'team_admin' ? await world.addTeam(organizationId) : {}
    const { userId } = await world.addMember(organizationId, { role, ...team })
    return { cookie: await world.signIn(userId) }
  }
  const order = async (as: { cookie: string }, walletRef: string, body: JsonObject = { amount: 25 }, key?: string) => {
    const headers = key === undefined ? {} : { 'idempotency-key': key }
    return world.as(as).send('POST', `/api/wallets/${walletRef}/top-ups`, body, { headers })
  }

  it('is for the owner of a wallet and the administrators of an organization; billing viewers read', async () => {
    const { id, walletId } = await world.createOrganization({ usd: '0' })
    const admin = await member(id, 'org_admin')
    for (const reference of [id, walletId]) expect((await order(admin, reference)).status).toBe(201)
    const statuses = async (role: 'billing_viewer' | 'team_admin' | 'member') => {
      const as = await member(id, role)
      const list = await world.as(as).send('GET', `/api/wallets/${walletId}/top-ups`)
      return [(await order(as, walletId)).status, list.status]
    }
    expect(await statuses('billing_viewer')).toEqual([403, 200])
    expect(await statuses('team_admin')).toEqual([403, 403])
    expect(await statuses('member')).toEqual([403, 403])
    const stranger = await world.payer()
    expect((await order(stranger.session, walletId)).status).toBe(404)
    expect((await order(stranger.session, stranger.userId)).status).toBe(201)
  })

  it('pays into the wallet of the organization, and its log tells so', async () => {
    const { id, walletId } = await world.createOrganization({ usd: '0' })
    const admin = await member(id, 'org_admin')
    const ordered = await order(admin, walletId)
    world.pay(idOf(ordered.json))
    await world.provider.webhooks.deliver()
    expect(await world.walletOf(walletId)).toMatchObject({ balance: '25' })
    const log = await world.as(admin).send('GET', `/api/orgs/${id}/audit-log`)
    expect(log.text).toContain('top_up.order')
    expect(log.text).toContain('top_up.paid')
  })

  it('needs a sign-in of the last ten minutes', async () => {
    const payer = await world.payer()
    await world.pool.query(`UPDATE auth_sessions SET created_at = now() - interval '11 minutes' WHERE user_id = $1`, [
      payer.userId,
    ])
    const { status, json } = await order(payer.session, payer.walletId)
    expect([status, json]).toMatchObject([403, { error: { code: 'step_up_required' } }])
    expect((await world.as(payer.session).send('GET', `/api/wallets/${payer.walletId}/top-ups`)).status).toBe(200)
  })

  it('is limited to 500 USD a day in the first week of an account', async () => {
    const payer = await world.payer()
    expect((await order(payer.session, payer.walletId, { amount: 500 })).status).toBe(201)
    const refused = await order(payer.session, payer.walletId, { amount: 5 })
    expect([refused.status, refused.json]).toMatchObject([403, { error: { code: 'top_up_limit_reached' } }])
    await world.pool.query(`UPDATE users SET created_at = now() - interval '8 days' WHERE id = $1`, [payer.userId])
    expect((await order(payer.session, payer.walletId, { amount: 5_000 })).status).toBe(201)
  })

  it('makes one order for one Idempotency-Key, and refuses the key for another', async () => {
    const payer = await world.payer()
    const [first, second] = [
      await order(payer.session, payer.walletId, { amount: 25 }, 'mine'),
      await order(payer.session, payer.walletId, { amount: 25 }, 'mine'),
    ]
    expect(idOf(second.json)).toBe(idOf(first.json))
    expect((await order(payer.session, payer.walletId, { amount: 26 }, 'mine')).status).toBe(409)
    expect((await order(payer.session, payer.walletId, { amount: 25 }, 'a b')).status).toBe(400)
    const other = await world.payer()
    expect(idOf((await order(other.session, other.walletId, { amount: 25 }, 'mine')).json)).not.toBe(idOf(first.json))
  })

  it.each([
    {},
    { amount: '25' },
    { amount: 4.99 },
    { amount: 25.001 },
    { amount: 10_001 },
    { amount: 25, currency: 'eur' },
    { amount: 25, currency: 7 },
  ])('refuses what is no order: %j', async (body) => {
    const payer = await world.payer()
    expect((await order(payer.session, payer.walletId, body)).status).toBe(400)
  })

  it('[MONEY-06] in a local currency states the rate and adds the tax, and the wallet gets US dollars', async () => {
    const payer = await world.payer()
    const offer = await world.as(payer.session).send('GET', '/api/payments')
    expect(offer.json).toEqual({
      data: {
        enabled: true,
        test: true,
        currencies: ['usd', 'cny', 'jpy'],
        providers: [{ name: 'stripe', test: true, saves_methods: true, currencies: ['usd', 'cny', 'jpy'] }],
        credit_min: 5,
        credit_max: 10_000,
        fee_percent: 10,
        tax_percent: 5,
      },
    })
    const ordered = await world.order(payer, 100, { currency: 'cny' })
    expect(ordered).toMatchObject({ credit: 100, fee: 10, tax: 5, currency: 'cny', rate: '7.25', total: 833.75 })
    world.pay(ordered['id'])
    await world.provider.webhooks.deliver()
    expect(await world.walletOf(payer.walletId)).toMatchObject({ balance: '100' })
    const yen = await world.order(payer, 12.34, { currency: 'jpy' })
    expect(yen).toMatchObject({ total: 2_148, currency: 'jpy' })
  })
})

describe('P4 without a provider', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway()
  })
  afterAll(() => gateway.close())

  it('there is no webhook, and nothing can be ordered', async () => {
    expect((await gateway.as().send('POST', '/api/payments/stripe/webhook', {})).status).toBe(404)
    const { userId, walletId } = await gateway.createClient({ usd: '0' })
    const as = gateway.as({ cookie: await gateway.signIn(userId) })
    expect((await as.send('GET', '/api/payments')).json).toMatchObject({ data: { enabled: false, test: false } })
    const refused = await as.send('POST', `/api/wallets/${walletId}/top-ups`, { amount: 25 })
    expect([refused.status, refused.json]).toMatchObject([409, { error: { code: 'payments_off' } }])
  })
})
