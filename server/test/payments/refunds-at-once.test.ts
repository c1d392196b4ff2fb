import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { isJsonObject, objectAt } from '#lib/json.ts'
import { type Payer, type PaymentWorld, startPaymentWorld } from './payment-world.ts'

interface Wish {
  readonly amount: number
  readonly key?: string
  readonly reason?: string
}

describe('refunds of a bank transfer that two operators book at the same moment', () => {
  let world: PaymentWorld
  let operator: Awaited<ReturnType<PaymentWorld['addOperatorKey']>>
  beforeAll(async () => {
    world = await startPaymentWorld({ gateways: 2 })
    operator = await world.addOperatorKey()
  })
  afterAll(() => world.close())
  afterEach(async () => {
    await world.keepBooks()
    expect(await world.audit()).toEqual([])
  })

  /** A transfer of 115 USD for 100 USD of credit. */
  async function transfer(): Promise<{ payer: Payer; id: string }> {
    const payer = await world.payer()
    const body = { amountUsd: 100, reference: `INV ${payer.walletId}`, channel: 'local' }
    const { json } = await world.as(operator).send('POST', `/api/admin/wallets/${payer.walletId}/transfers`, body)
    return { payer, id: String(objectAt(json, 'data')['id']) }
  }

  const refund = async (id: string, { amount, key, reason }: Wish) => {
    const headers = key === undefined ? {} : { 'idempotency-key': key }
    const reply = await world
      .as(operator)
      .send('POST', `/api/admin/top-ups/${id}/refund`, { amount, reason }, { headers })
    return { status: reply.status, json: isJsonObject(reply.json) ? reply.json : {} }
  }

  /** Both have read the order before either is booked. Returns the statuses in order. */
  async function refundAtOnce(id: string, wishes: readonly [Wish, Wish]): Promise<number[]> {
    const client = await world.pool.connect()
    try {
      await client.query('BEGIN')
      await client.query('SELECT FROM top_ups WHERE id = $1 FOR UPDATE', [id])
      const refunds = wishes.map((wish) => refund(id, wish))
      const waiting = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%top_ups%'
        AND datname = current_database()`
      await expect.poll(async () => (await world.pool.query(waiting)).rowCount).toBe(2)
      await client.query('COMMIT')
      return (await Promise.all(refunds)).map(({ status }) => status).toSorted()
    } finally {
      client.release()
    }
  }

  it.each<[string, [Wish, Wish], number[], string]>([
    [
      'of different amounts are both booked',
      [
        { amount: 23, key: 'a' },
        { amount: 34.5, key: 'b' },
      ],
      [200, 200],
      '50',
    ],
    [
      'of the same amount are both booked',
      [
        { amount: 23, key: 'a' },
        { amount: 23, key: 'b' },
      ],
      [200, 200],
      '60',
    ],
    [
      'with one key are booked once',
      [
        { amount: 23, key: 'a' },
        { amount: 23, key: 'a' },
      ],
      [200, 200],
      '80',
    ],
    ['without a key count as the same refund', [{ amount: 23 }, { amount: 23 }], [200, 200], '80'],
    [
      'beyond the payment are refused',
      [
        { amount: 69, key: 'a' },
        { amount: 69, key: 'b' },
      ],
      [200, 409],
      '40',
    ],
  ])('%s', async (_name, wishes, statuses, balance) => {
    const { payer, id } = await transfer()
    expect(await refundAtOnce(id, wishes)).toEqual(statuses)
    expect(await world.balanceOf(payer)).toBe(balance)
  })

  it('keep the reason of the one that is booked, and none of the one that is refused', async () => {
    const { id } = await transfer()
    const wishes = [
      { amount: 69, key: 'a', reason: 'by Ada' },
      { amount: 69, key: 'b', reason: 'by Bob' },
    ] as const
    expect(await refundAtOnce(id, [...wishes])).toEqual([200, 409])
    const { json } = await world.as(operator).get(`/api/admin/top-ups/${id}`)
    expect(objectAt(json, 'data')['refund_reasons']).toHaveLength(1)
  })

  it('without a key and of different amounts are booked one by one', async () => {
    const { payer, id } = await transfer()
    expect(await refundAtOnce(id, [{ amount: 23 }, { amount: 46 }])).toEqual([200, 409])
    const rest = (await world.balanceOf(payer)) === '80' ? 46 : 23
    expect((await refund(id, { amount: rest })).status).toBe(200)
    expect(await world.balanceOf(payer)).toBe('40')
  })
})
