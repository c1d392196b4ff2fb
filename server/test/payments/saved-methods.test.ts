import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import { dataOf, type Payer, type PaymentWorld, startPaymentWorld } from './payment-world.ts'

const pathOf = ({ walletId }: { walletId: string }): string => `/api/wallets/${walletId}/payment-methods`
const sessionAt = (url: string): string => url.slice(url.lastIndexOf('/') + 1)

describe('[P13] saved cards', () => {
  let world: PaymentWorld
  beforeAll(async () => {
    world = await startPaymentWorld({ gateways: 2 })
  })
  afterAll(() => world.close())

  const list = async (payer: Payer) => (await world.as(payer.session).send('GET', pathOf(payer))).json
  const openPage = async (payer: Payer): Promise<string> => {
    const { url } = dataOf(await world.as(payer.session).send('POST', pathOf(payer)), 201)
    return String(url)
  }
  const customersOf = (walletId: string) =>
    [...world.provider.state.customers.values()].filter(({ metadata }) => metadata['wallet_id'] === walletId)

  it("are saved on the provider's page, listed without their number, and forgotten", async () => {
    const payer = await world.payer()
    expect(await list(payer)).toEqual({ data: [] })
    const url = await openPage(payer)
    expect(url).toContain(world.provider.url)
    const { id } = world.provider.state.completeSetup(sessionAt(url))
    const card = { id, brand: 'visa', last4: '4242', expiry_month: 12, expiry_year: 2034 }
    expect(await list(payer)).toEqual({ data: [card] })
    expect((await world.as(payer.session).send('DELETE', `${pathOf(payer)}/${id}`)).status).toBe(204)
    expect(await list(payer)).toEqual({ data: [] })
    expect(world.provider.state.methods.get(id)?.customer).toBeNull()
    expect((await world.as(payer.session).send('DELETE', `${pathOf(payer)}/${id}`)).status).toBe(204)
  })

  it('belong to one customer of the wallet, however many processes ask at once', async () => {
    const payer = await world.payer()
    await Promise.all(Array.from({ length: 8 }, () => openPage(payer)))
    const [customer, ...others] = customersOf(payer.walletId)
    expect(others).toEqual([])
    const { rows } = await world.pool.query('SELECT customer_ref FROM payment_customers WHERE wallet_id = $1', [
      payer.walletId,
    ])
    expect(rows).toEqual([{ customer_ref: customer?.id }])
  })

  it('C12: are deleted at the provider with their customer once their person is erased', async () => {
    const [payer, other] = [await world.payer(), await world.payer()]
    const { id } = world.provider.state.completeSetup(sessionAt(await openPage(payer)))
    await openPage(other)
    const { rows } = await world.pool.query<{ email: string }>('SELECT email FROM users WHERE id = $1', [payer.userId])
    const { status, text } = await world.as(payer.session).post('/api/account/delete', { email: rows[0]?.email })
    expect(status, text).toBe(204)
    const queued = async () => (await world.pool.query('SELECT customer_ref FROM erased_payment_customers')).rows
    const [customer] = customersOf(payer.walletId)
    expect(await queued()).toEqual([{ customer_ref: customer?.id }])
    await world.work('erased-customers')
    expect(customersOf(payer.walletId)).toEqual([])
    expect(world.provider.state.methods.get(id)?.customer).toBeNull()
    expect(await queued()).toEqual([])
    expect(customersOf(other.walletId)).toHaveLength(1)
    // Simulates a worker that died before it recorded the deletion: another one repeats the request.
    await world.pool.query(`INSERT INTO erased_payment_customers VALUES ('stripe', false, $1)`, [customer?.id])
    await world.work('erased-customers')
    expect(await queued()).toEqual([])
  })

  it('of another wallet are left alone', async () => {
    const [owner, stranger] = [await world.payer(), await world.payer()]
    const { id } = world.provider.state.completeSetup(sessionAt(await openPage(owner)))
    await openPage(stranger)
    expect((await world.as(stranger.session).send('DELETE', `${pathOf(stranger)}/${id}`)).status).toBe(204)
    expect((await world.as(stranger.session).send('DELETE', `${pathOf(owner)}/${id}`)).status).toBe(404)
    expect((await world.as(stranger.session).send('GET', pathOf(owner))).status).toBe(404)
    expect(await list(owner)).toMatchObject({ data: [{ id }] })
  })

  it('are saved with a purchase that asks for it, and with no other', async () => {
    const payer = await world.payer()
    const plain = await world.order(payer, 25)
    world.pay(plain['id'])
    expect(customersOf(payer.walletId)).toEqual([])
    const saving = await world.order(payer, 25, { save_method: true })
    world.pay(saving['id'])
    await world.deliver()
    expect(await world.balanceOf(payer)).toBe('50')
    expect(await list(payer)).toMatchObject({ data: [{ brand: 'visa', last4: '4242' }] })
    const refused = await world.as(payer.session).send('POST', `/api/wallets/${payer.walletId}/top-ups`, {
      amount: 25,
      save_method: 'yes',
    })
    expect(refused.status).toBe(400)
  })

  it('are for the owner and the administrators of an organization; billing viewers read; a fresh sign-in changes', async () => {
    const { id, walletId } = await world.createOrganization({ usd: '0' })
    const as = async (role: 'org_admin' | 'billing_viewer' | 'member') => {
      const { userId } = await world.addMember(id, { role })
      return world.as({ cookie: await world.signIn(userId) })
    }
    const statuses = async (role: 'org_admin' | 'billing_viewer' | 'member') => {
      const member = await as(role)
      return [
        (await member.send('GET', pathOf({ walletId }))).status,
        (await member.send('POST', pathOf({ walletId }))).status,
        (await member.send('DELETE', `${pathOf({ walletId })}/pm_1`)).status,
      ]
    }
    expect(await statuses('org_admin')).toEqual([200, 201, 204])
    expect(await statuses('billing_viewer')).toEqual([200, 403, 403])
    expect(await statuses('member')).toEqual([403, 403, 403])
    const payer = await world.payer()
    await world.pool.query(`UPDATE auth_sessions SET created_at = now() - interval '11 minutes' WHERE user_id = $1`, [
      payer.userId,
    ])
    const stale = await world.as(payer.session).send('POST', pathOf(payer))
    expect([stale.status, stale.json]).toMatchObject([403, { error: { code: 'step_up_required' } }])
    expect((await world.as(payer.session).send('DELETE', `${pathOf(payer)}/pm_1`)).status).toBe(403)
  })

  it('are in the log of the organization when they are added and removed', async () => {
    const { id, walletId } = await world.createOrganization({ usd: '0' })
    const { userId } = await world.addMember(id, { role: 'org_admin' })
    const admin = world.as({ cookie: await world.signIn(userId) })
    await admin.send('POST', pathOf({ walletId }))
    await admin.send('DELETE', `${pathOf({ walletId })}/pm_1`)
    const { json } = await admin.send('GET', `/api/orgs/${id}/audit-log?action=payment_method.`)
    expect(json).toMatchObject({ data: [{ action: 'payment_method.remove' }, { action: 'payment_method.add' }] })
  })

  it('are asked for again while the provider is away', async () => {
    const payer = await world.payer()
    await openPage(payer)
    world.provider.failNext('GET /v1/payment_methods', '500-before', '500-before', '500-before')
    const { status, json } = await world.as(payer.session).send('GET', pathOf(payer))
    expect([status, json]).toMatchObject([503, { error: { code: 'payments_unavailable' } }])
  })
})

describe('[P13] without a provider', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway()
  })
  afterAll(() => gateway.close())

  it('no card can be saved', async () => {
    const { userId, walletId } = await gateway.createClient({ usd: '0' })
    const as = gateway.as({ cookie: await gateway.signIn(userId) })
    for (const method of ['GET', 'POST']) {
      const { status, json } = await as.send(method, pathOf({ walletId }))
      expect([status, json]).toMatchObject([409, { error: { code: 'payments_off' } }])
    }
  })
})
