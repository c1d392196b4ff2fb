import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { parseConfig } from '#config/parse-config.ts'
import { realTimers, type Timers } from '#lib/timers.ts'
import { testSecret } from '#test/setup/gateway.ts'
import { createTestTimers } from '#test/setup/test-timers.ts'
import { type AnswerCall, startWebhookReceiver, type WebhookReceiver } from '#test/videos/webhook-receiver.ts'
import { createOutbound } from './outbound.ts'
import { createUpstreamClient, type UpstreamClient } from './upstream-client.ts'
import { createWebhookSender } from './webhook-sender.ts'

const longMs = 120_000
const limits = { atOnceMax: 8, perAccountMax: 8, waitingPerAccountMax: 8, bytesMax: 1, bytesPerAccountMax: 1 }

let network: UpstreamClient
const receivers: WebhookReceiver[] = []
beforeAll(() => {
  network = createUpstreamClient({ connectTimeoutMs: longMs, connectionsMax: 8 })
})
afterEach(async () => {
  for (const receiver of receivers.splice(0)) await receiver.close()
})
afterAll(() => network.close())

async function call(answer: AnswerCall, timers?: Timers): Promise<number> {
  const receiver = await startWebhookReceiver(answer)
  receivers.push(receiver)
  return callAt(receiver.url, timers)
}

const delivery = {
  walletId: '0190a2b4-6c00-7000-8000-000000000002',
  id: '0190a2b4-6c00-7000-8000-000000000001',
  body: '{}',
  attempts: 0,
  createdAtMs: 0,
  secret: null,
}

function callAt(url: string, timers = realTimers): Promise<number> {
  const outbound = createOutbound(limits)
  return createWebhookSender({ upstreams: network, outbound, timeoutMs: longMs, timers }).call({ ...delivery, url })
}

describe('[VIDEO-35] the call of a webhook', () => {
  it('answers the status, however long the answer goes on', async () => {
    expect(await call((_call, response) => void response.writeHead(200).write('x'))).toBe(200)
    expect(await call((_call, response) => void response.writeHead(503).end('later'))).toBe(503)
  })

  it('waits for an answer only so long, and lets the receiver go', async () => {
    const timers = createTestTimers()
    const reached = Promise.withResolvers<void>()
    const closed = Promise.withResolvers<void>()
    const hanging = call((_call, response) => {
      response.once('close', closed.resolve)
      reached.resolve()
    }, timers)
    const refused = expect(hanging).rejects.toThrow('timed out after 120000 ms')
    await reached.promise
    await timers.pass(longMs)
    await refused
    await closed.promise
    expect(parseConfig({ env: { WEIR_SECRET: testSecret } }).webhooks.timeoutMs).toBe(10_000)
  })

  it('[B4] waits for its turn behind calls of its own account, and not behind those of others', async () => {
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
    const receiver = await startWebhookReceiver(async ({ path }, response) => {
      if (path === '/slow') await answered
      response.writeHead(204).end()
    })
    receivers.push(receiver)
    const outbound = createOutbound({ ...limits, perAccountMax: 1 })
    const client = createWebhookSender({ upstreams: network, outbound, timeoutMs: longMs })
    const callFor = (walletId: string, path: string): Promise<number> =>
      client.call({ ...delivery, walletId, url: `${receiver.url}${path}` })
    const slow = callFor('flood', '/slow')
    const behind = callFor('flood', '/behind')
    await expect.poll(() => receiver.calls.length).toBe(1)
    expect(await callFor('acme', '/other')).toBe(204)
    expect(receiver.calls.map(({ path }) => path)).toEqual(['/slow', '/other'])
    answer()
    expect(await Promise.all([slow, behind])).toEqual([204, 204])
  })

  it('fails where nothing listens, and where the connection breaks', async () => {
    await expect(callAt('http://127.0.0.1:1/')).rejects.toThrow('ECONNREFUSED')
    await expect(call((_call, response) => void response.socket?.destroy())).rejects.toThrow()
  })
})
