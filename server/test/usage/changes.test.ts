import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestClient } from '#test/setup/accounts.ts'
import { startUsageGateway, type UsageGateway } from './usage-gateway.ts'

let gateway: UsageGateway
let caller: TestClient

beforeAll(async () => {
  gateway = await startUsageGateway()
  caller = await gateway.createClient()
  const model = 'openai/gpt-5.2'
  await gateway.spend(caller, [
    { at: '2026-03-01T12:00:00Z', usd: '1', model, prompt: 100 },
    { at: '2026-03-02T12:00:00Z', usd: '0.5', model: 'acme/ended' },
    { at: '2026-03-04T12:00:00Z', usd: '1', model, prompt: 100 },
    { at: '2026-03-05T12:00:00Z', usd: '1', model, prompt: 100 },
    { at: '2026-03-05T12:00:00Z', usd: '0.25', model: 'acme/new' },
  ])
})
afterAll(() => gateway.close())

const ask = (query: string, credential: Parameters<UsageGateway['read']>[1] = caller.key) =>
  gateway.read(`/v1/insights/changes${query}`, credential)

const days = '?period=custom&from=2026-03-04&to=2026-03-06'

it('compares a period with the days before, and names causes that add up to the change', async () => {
  const { status, body } = await ask(days)
  expect(status).toBe(200)
  expect(body).toMatchObject({
    since: '2026-03-04T00:00:00.000Z',
    previousSince: '2026-03-01T00:00:00.000Z',
    change: 0.75,
    before: { spend: 1.5, requests: 2, tokens: 100 },
    now: { spend: 2.25, requests: 3, tokens: 200 },
    causes: { requests: 1, tokensPerRequest: 0, price: 0, cache: 0, newModels: 0.25, endedModels: -0.5 },
    models: [
      { model: 'openai/gpt-5.2', change: 1, causes: { requests: 1 } },
      { model: 'acme/ended', change: -0.5 },
      { model: 'acme/new', change: 0.25 },
    ],
    keys: [{ change: 0.75, keyName: expect.any(String) }],
  })
  expect(body).not.toHaveProperty('members')
})

it('shows a stranger nothing of it', async () => {
  const stranger = await gateway.createClient()
  expect((await ask(days, stranger.key)).body).toMatchObject({ change: 0, models: [], keys: [] })
})

it('refuses a period that it cannot read', async () => {
  expect((await ask('?period=custom&from=2026-03-04')).status).toBe(400)
})
