import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import { dataOf, type Payer, type PaymentWorld, startPaymentWorld } from './payment-world.ts'

describe('operators and money that goes back', () => {
  let world: PaymentWorld
  let operator: { key: string }
  beforeAll(async () => {
    world = await startPaymentWorld()
    operator = await world.addOperatorKey({ name: 'Olga' })
  })
  afterAll(() => world.close())

  const ask = (path: string) => world.as(operator.key).get(`/api/admin${path}`)
  const refund = (id: string, body: object, key: string) =>
    world
      .as(operator.key)
      .send('POST', `/api/admin/top-ups/${id}/refund`, body, { headers: { 'idempotency-key': key } })
  const nameOf = async ({ userId }: Payer) => {
    const { rows } = await world.pool.query<{ email: string }>('SELECT email FROM users WHERE id = $1', [userId])
    return { kind: 'user', id: userId, name: rows[0]?.email ?? '' }
  }
  const listed = async (query = '') => rowsOf((await ask(`/disputes${query}`)).json['data'])

  it('list disputes by deadline, with the customer, until the bank has decided', async () => {
    const { state } = world.provider
    const [first, second] = [await world.paidOrder(100), await world.paidOrder(50)]
    const later = state.dispute(first.paymentId, { amount: 4_000 })
    const sooner = state.dispute(second.paymentId, { isInquiry: true })
    sooner.evidence_details.due_by = (later.evidence_details.due_by ?? 0) - 60
    await world.deliver()
    expect(await listed()).toEqual([
      {
        id: sooner.id,
        provider: 'stripe',
        top_up_id: second.id,
        customer: await nameOf(second.payer),
        status: 'warning_needs_response',
        open: true,
        reason: 'fraudulent',
        amount: '55.00',
        currency: 'usd',
        evidence_due_at: isoOf(sooner.evidence_details.due_by),
        created_at: isoOf(sooner.created),
      },
      expect.objectContaining({ id: later.id, status: 'needs_response', amount: '40.00' }),
    ])
    state.lose(later.id)
    await world.deliver()
    const lost = { id: later.id, status: 'lost', open: false }
    expect(await listed()).toMatchObject([{ id: sooner.id, open: true }, lost])
    expect(await listed('?open=true')).toMatchObject([{ id: sooner.id }])
    expect(await listed('?open=false')).toMatchObject([lost])
    expect((await ask('/disputes?limit=1')).json).toMatchObject({ data: [{ id: sooner.id }], has_more: true })
    const order = dataOf(await ask(`/top-ups/${first.id}`), 200)
    expect(order).toMatchObject({ customer: await nameOf(first.payer), disputes: [lost] })
  })

  it('show the reason of a refund with its order and in the audit log, once for each key', async () => {
    const { id } = await world.paidOrder(20)
    expect((await refund(id, { amount: 5, reason: 'ordered twice' }, 'k1')).status).toBe(200)
    expect((await refund(id, { amount: 5, reason: 'another' }, 'k1')).status).toBe(200)
    expect((await refund(id, { amount: 1 }, 'k2')).status).toBe(200)
    const reasons = [{ amount: '5.00', reason: 'ordered twice', author: 'Olga', created_at: expect.any(String) }]
    expect(dataOf(await ask(`/top-ups/${id}`), 200)['refund_reasons']).toEqual(reasons)
    const { rows } = await world.pool.query<{ reason: string }>(
      `SELECT details ->> 'reason' AS reason FROM audit_entries
       WHERE action = 'top_up.refund' AND details ->> 'topUpId' = $1 AND actor_kind = 'operator' ORDER BY 1`,
      [id],
    )
    expect(rows).toEqual([{ reason: 'ordered twice' }, { reason: null }])
  })

  it.each([[''], ['  '], [7], ['x'.repeat(501)], ['a\0b']])('reject the reason %j', async (reason) => {
    const { id } = await world.paidOrder(20)
    expect((await refund(id, { reason }, 'k')).status).toBe(400)
  })

  it('name the customers of orders and documents, and open every document', async () => {
    const { payer, id } = await world.paidOrder(30)
    const customer = await nameOf(payer)
    expect((await ask(`/top-ups?wallet=${payer.walletId}`)).json).toMatchObject({ data: [{ id, customer }] })
    const { json } = await ask(`/invoices?wallet=${payer.walletId}`)
    expect(json).toMatchObject({ data: [{ kind: 'receipt', customer }] })
    const number = String(rowsOf(json['data'])[0]?.['number'])
    const page = await ask(`/invoices/${number}/html`)
    expect([page.status, page.text.includes(number)]).toEqual([200, true])
    const pdf = await ask(`/invoices/${number}/pdf`)
    expect([pdf.status, pdf.text.startsWith('%PDF')]).toEqual([200, true])
    expect((await ask('/invoices/TEST-2026-999999/pdf')).status).toBe(404)
    expect((await world.as(payer.session).get(`/api/admin/invoices/${number}/pdf`)).status).toBe(403)
  })
})

function isoOf(seconds: number): string {
  return new Date(seconds * 1_000).toISOString()
}

function rowsOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}
