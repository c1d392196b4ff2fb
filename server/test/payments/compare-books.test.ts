import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import { newUuid } from '#lib/uuid.ts'
import { dataOf, type PaymentWorld, startPaymentWorld } from './payment-world.ts'

describe('P17 an operator compares the books', () => {
  let world: PaymentWorld
  let operator: { key: string }
  beforeAll(async () => {
    world = await startPaymentWorld()
    operator = await world.addOperatorKey()
  })
  afterAll(() => world.close())

  const compare = async (): Promise<JsonObject> =>
    dataOf(await world.as(operator.key).send('GET', '/api/admin/books'), 200)

  it('says that nothing was read yet, then that they agree', async () => {
    expect(await compare()).toEqual({
      agree: true,
      providers: [{ name: 'stripe', read_until: null, events_read_until: null }],
      differences: [],
      has_more: false,
    })
    await world.paidOrder(25)
    await world.keepBooks()
    expect(await compare()).toMatchObject({
      agree: true,
      providers: [{ read_until: expect.stringMatching(/Z$/) }],
      differences: [],
    })
  })

  it('names the order of which the provider says less than is booked, and a payment without an order', async () => {
    const { payer, id } = await world.paidOrder(40)
    await world.keepBooks()
    await world.pool.query(
      `UPDATE payment_balances SET amount_minor = 4399 WHERE top_up_id = $1 AND kind = 'payment'`,
      [id],
    )
    await world.pool.query(
      `INSERT INTO payment_balances (provider, id, kind, currency, amount_minor, fee_cents, created_at)
        VALUES ('stripe', 'txn_stray', 'payment', 'usd', 700, 0, now())`,
    )
    const told = await compare()
    expect(told['agree']).toBe(false)
    const { rows } = await world.pool.query<{ email: string }>('SELECT email FROM users WHERE id = $1', [payer.userId])
    expect(differencesOf(told)).toEqual([
      {
        customer: { kind: 'user', id: payer.userId, name: rows[0]?.email },
        what: "the payment provider's records must match ours",
        wallet_id: payer.walletId,
        top_up_id: id,
        subject: `${id} payment`,
        expected: '4400 to 4400',
        found: '4399',
      },
      {
        customer: null,
        what: 'a payment must belong to an order',
        wallet_id: null,
        top_up_id: null,
        subject: 'stripe txn_stray',
        expected: 'an order',
        found: '700 usd',
      },
    ])
  })

  it('reads any order by its id', async () => {
    const { payer, id } = await world.paidOrder(12.34)
    const read = await world.as(operator.key).send('GET', `/api/admin/top-ups/${id}`)
    expect(dataOf(read, 200)).toMatchObject({ id, wallet_id: payer.walletId, state: 'paid', credited: 12.34 })
    for (const other of [newUuid(Date.now()), 'nothing']) {
      expect((await world.as(operator.key).send('GET', `/api/admin/top-ups/${other}`)).status).toBe(404)
    }
    expect((await world.as(payer.session).send('GET', `/api/admin/top-ups/${id}`)).status).toBe(403)
  })
})

function differencesOf({ differences }: JsonObject): JsonObject[] {
  return Array.isArray(differences) ? differences.filter(isJsonObject) : []
}
