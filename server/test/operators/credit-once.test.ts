import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'

describe('credit by hand', () => {
  let gateway: TestGateway
  let operator: { key: string }
  beforeAll(async () => {
    gateway = await startTestGateway()
    operator = await gateway.addOperatorKey()
  })
  afterAll(() => gateway.close())

  const credit = (walletId: string, body: JsonObject, key?: string) =>
    gateway.as(operator).send('POST', `/api/admin/wallets/${walletId}/credit`, body, {
      headers: key === undefined ? {} : { 'idempotency-key': key },
    })

  it('is booked once for one Idempotency-Key, also where the same request comes many times at once', async () => {
    const { walletId } = await gateway.createClient({ usd: '0' })
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => credit(walletId, { amountUsd: 5, note: 'a' }, 'k')),
    )
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(replies.map(({ json }) => json['transactionId'])).size).toBe(1)
    expect(await gateway.walletOf(walletId)).toMatchObject({ balance: '5' })
    const { rows } = await gateway.pool.query(`SELECT 1 FROM audit_entries WHERE target_id = $1`, [walletId])
    expect(rows).toHaveLength(1)
  })

  it('is refused for a key that was sent with another request, and booked twice without one', async () => {
    const { walletId } = await gateway.createClient({ usd: '0' })
    const other = await gateway.createClient({ usd: '0' })
    expect((await credit(walletId, { amountUsd: 5 }, 'once')).status).toBe(200)
    for (const body of [{ amountUsd: 6 }, { amountUsd: 5, note: 'b' }, { amountUsd: 5, source: 'grant' }]) {
      expect((await credit(walletId, body, 'once')).status, JSON.stringify(body)).toBe(409)
    }
    expect((await credit(other.walletId, { amountUsd: 5 }, 'once')).status).toBe(409)
    expect([
      (await credit(walletId, { amountUsd: 5 })).status,
      (await credit(walletId, { amountUsd: 5 })).status,
    ]).toEqual([200, 200])
    expect(await gateway.walletOf(walletId)).toMatchObject({ balance: '15' })
  })
})
