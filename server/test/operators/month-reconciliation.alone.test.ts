import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runWeir } from '#test/audit/run-weir.ts'
import { type Payer, type PaymentWorld, startPaymentWorld } from '#test/payments/payment-world.ts'
import { testSecret } from '#test/setup/gateway.ts'

const month = '2026-02'
const inside = `${month}-10T00:00:00Z`

describe('a month beside the balance of the payment processor', () => {
  let world: PaymentWorld
  let operator: string
  let order: { payer: Payer; id: string; paymentId: string }
  beforeAll(async () => {
    world = await startPaymentWorld()
    operator = (await world.addOperatorKey()).key
    const env = { WEIR_SECRET: testSecret, WEIR_POSTGRES_URL: world.databaseUrl, WEIR_DATA_DIR: world.dataDir }
    Object.assign(process.env, env, { WEIR_REDIS_URL: 'redis://127.0.0.1:1' })
    order = await world.paidOrder(100)
    await world.as(operator).send('POST', `/api/admin/top-ups/${order.id}/refund`, { amount: 10 })
    world.provider.state.payOut(5_000)
    world.provider.state.takeFee(200)
    await world.deliver()
    await world.keepBooks()
    await world.pool.query('UPDATE top_up_effects SET booked_at = $1', [inside])
    await world.pool.query('UPDATE payment_balances SET created_at = $1', [inside])
  })
  afterAll(() => world.close())

  const ask = async (name = month) =>
    (await world.as(operator).get(`/api/admin/accounting/${name}/reconciliation`)).json
  const emailOf = async ({ userId }: Payer) => {
    const { rows } = await world.pool.query<{ email: string }>('SELECT email FROM users WHERE id = $1', [userId])
    return rows[0]?.email ?? ''
  }
  const line = { provider: 'stripe', currency: 'usd', fee: '0.00', created_at: '2026-02-10T00:00:00.000Z' }

  it('lists payments, refunds, fees and payouts with both sides', async () => {
    expect(await ask()).toEqual({
      month,
      agree: true,
      providers: [{ name: 'stripe', read_until: expect.stringMatching(/Z$/), complete: true }],
      sums: [sum('payment', '110.00'), sum('processor_fee', '-3.49'), sum('refund', '-10.00')],
      differences: [],
      payouts: expect.arrayContaining([
        { ...line, id: expect.stringMatching(/^txn_/), kind: 'payout', amount: '-50.00' },
        { ...line, id: expect.stringMatching(/^txn_/), kind: 'other', amount: '-2.00' },
      ]),
      has_more: false,
    })
    expect(await ask('2026-01')).toMatchObject({ agree: true, sums: [], payouts: [] })
    expect(await ask('2999-01')).toMatchObject({ providers: [{ complete: false }] })
    expect(await world.audit()).toEqual([])
  })

  it('answers in a terminal, and tells a monitor', async () => {
    const { code, out } = await runWeir('month', 'reconcile', month)
    expect(code).toBe(0)
    expect(out).toMatch(/^stripe: read the whole month$/m)
    expect(out).toMatch(/^stripe +payment +usd +110\.00 +110\.00 +0\.00$/m)
    expect(out).toMatch(/ payout +usd +-50\.00 /)
    expect(out).toContain('All records match.')
    expect((await runWeir('month', 'reconcile', '2026')).code).toBe(2)
  })

  it('names a record of a neighboring month, which is no difference', async () => {
    const moveText = `UPDATE top_up_effects SET booked_at = $1 WHERE kind = 'refund'`
    await world.pool.query(moveText, ['2026-03-01T00:00:00Z'])
    const record = { top_up_id: order.id, kind: 'refund', other_month: true }
    expect(await ask()).toMatchObject({ agree: true, differences: [{ ...record, theirs: '-10.00', ours: '0.00' }] })
    expect(await ask('2026-03')).toMatchObject({ differences: [{ ...record, theirs: '0.00', ours: '-10.00' }] })
    await world.pool.query(moveText, [inside])
  })

  it('names each record that differs, with its customer', async () => {
    await world.pool.query(`UPDATE payment_balances SET amount_minor = 10999 WHERE kind = 'payment'`)
    await world.pool.query(
      `INSERT INTO payment_balances (provider, id, kind, currency, amount_minor, fee_cents, created_at)
        VALUES ('stripe', 'txn_stray', 'payment', 'usd', 700, 0, $1)`,
      [inside],
    )
    const { userId } = order.payer
    const customer = { kind: 'user', id: userId, name: await emailOf(order.payer) }
    const mine = { ...sum('payment', '110.00'), theirs: '109.99', difference: '-0.01' }
    const stray = { ...sum('payment', '7.00'), ours: '0.00', difference: '7.00' }
    expect(await ask()).toMatchObject({
      agree: false,
      differences: [
        { ...mine, top_up_id: order.id, line_id: null, customer, other_month: false },
        { ...stray, top_up_id: null, line_id: 'txn_stray', customer: null, other_month: false },
      ],
    })
    const { code, out } = await runWeir('month', 'reconcile', month)
    expect(code).toBe(3)
    expect(out).toContain(customer.name)
    expect(out).toMatch(/^txn_stray +payment +usd +7\.00 +0\.00 +false$/m)
    expect(out).toContain('Records differ.')
  })
})

function sum(kind: string, amount: string) {
  return { provider: 'stripe', kind, currency: 'usd', theirs: amount, ours: amount, difference: '0.00' }
}
