import { afterAll, beforeAll, expect, it } from 'vitest'
import { startWebhookReceiver, type WebhookReceiver } from '#test/videos/webhook-receiver.ts'
import { createListProviderModels } from './list-provider-models.ts'
import { createOutbound } from './outbound.ts'
import { createUpstreamClient, type UpstreamClient } from './upstream-client.ts'

const limits = { atOnceMax: 8, perAccountMax: 1, waitingPerAccountMax: 1, bytesMax: 1e9, bytesPerAccountMax: 1e9 }

let network: UpstreamClient
let provider: WebhookReceiver
const answered = Promise.withResolvers<void>()
beforeAll(async () => {
  network = createUpstreamClient({ connectTimeoutMs: 60_000, connectionsMax: 8 })
  provider = await startWebhookReceiver(async ({ path }, response) => {
    if (path === '/slow') await answered.promise
    response.end(JSON.stringify({ data: [{ id: 'gpt-5.2' }] }))
  })
})
afterAll(async () => {
  await network.close()
  await provider.close()
})

it('[B4] asks for the models of own keys in the turn of their organization', async () => {
  const list = createListProviderModels({
    upstreams: network,
    outbound: createOutbound(limits),
    requestFor: ({ baseUrl }) => ({ origin: provider.url, path: baseUrl, headers: {} }),
    timeoutMs: 60_000,
  })
  const listFor = (organizationId: string, baseUrl: string): Promise<readonly string[]> =>
    list({ id: 'key', organizationId, way: { kind: 'protocol', protocol: 'openai' }, baseUrl, apiKey: 'secret' })
  const slow = listFor('flood', '/slow')
  const behind = listFor('flood', '/behind')
  await expect(listFor('flood', '/refused')).rejects.toMatchObject({ errorName: 'rateLimited' })
  await expect.poll(() => provider.calls.length).toBe(1)
  expect(await listFor('acme', '/other')).toEqual(['gpt-5.2'])
  expect(provider.calls.map(({ path }) => path)).toEqual(['/slow', '/other'])
  answered.resolve()
  expect(await Promise.all([slow, behind])).toEqual([['gpt-5.2'], ['gpt-5.2']])
})
