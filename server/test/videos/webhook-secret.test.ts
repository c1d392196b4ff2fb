import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { plainModel, startVideoWorld, type VideoWorld } from './video-world.ts'
import { eventually } from './webhook-deliveries.ts'
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.ts'

describe('the secret of webhooks', () => {
  let world: VideoWorld
  let receiver: WebhookReceiver
  beforeAll(async () => {
    world = await startVideoWorld()
    await world.addModels([plainModel])
    await world.startWorker()
    receiver = await startWebhookReceiver()
  })
  afterAll(async () => {
    await world.close()
    await receiver.close()
  })

  async function ask(key: string, method: string): Promise<{ status: number; data: JsonObject }> {
    const { status, data } = await world.as(key).send(method, '/v1/webhooks/secret')
    return { status, data }
  }

  it('signs every call of its account as the Standard Webhooks have it, and of no other', async () => {
    const caller = await world.createClient({ usd: '10' })
    const { key: manager } = await world.addKey(caller.userId, { type: 'management' })
    const other = await world.createClient({ usd: '10' })
    expect(await ask(manager, 'GET')).toEqual({ status: 200, data: { is_set: false, created_at: null } })
    const { status, data } = await ask(manager, 'PUT')
    expect(status).toBe(201)
    expect(data.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect((await ask(manager, 'GET')).data).toEqual({ is_set: true, created_at: expect.any(String) })

    const orderedS = Math.floor(Date.now() / 1_000)
    await world.ended(caller, await world.submit(caller, { callback_url: receiver.url }))
    await eventually(() => receiver.calls.length, 1)
    const signed = receiver.calls[0]
    const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = signed?.headers ?? {}
    expect(id).toBe(signed?.headers['x-webhook-id'])
    expect(Number(timestamp)).toBeGreaterThanOrEqual(orderedS)
    expect(Number(timestamp)).toBeLessThanOrEqual(Date.now() / 1_000)
    const secretBytes = Buffer.from(String(data.secret).slice('whsec_'.length), 'base64')
    const expected = createHmac('sha256', secretBytes).update(`${id}.${timestamp}.${signed?.body}`).digest('base64')
    expect(signature).toBe(`v1,${expected}`)

    await world.ended(other, await world.submit(other, { callback_url: receiver.url }))
    await eventually(() => receiver.calls.length, 2)
    expect(receiver.calls[1]?.headers).not.toHaveProperty('webhook-signature')

    expect((await ask(manager, 'DELETE')).status).toBe(204)
    expect((await ask(manager, 'DELETE')).status).toBe(204)
    await world.ended(caller, await world.submit(caller, { callback_url: receiver.url }))
    await eventually(() => receiver.calls.length, 3)
    expect(receiver.calls[2]?.headers).not.toHaveProperty('webhook-signature')
    const { rows } = await world.pool.query(
      `SELECT action FROM audit_entries WHERE action LIKE 'webhook.secret.%' ORDER BY 1`,
    )
    expect(rows).toEqual([{ action: 'webhook.secret.remove' }, { action: 'webhook.secret.set' }])
  })

  it('is nothing that a key for models may touch', async () => {
    const { key } = await world.createClient({ usd: '1' })
    for (const method of ['GET', 'PUT', 'DELETE']) expect((await ask(key, method)).status).toBe(403)
  })
})
