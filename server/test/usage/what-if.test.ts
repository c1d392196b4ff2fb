import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestClient } from '#test/setup/accounts.ts'
import { startUsageGateway, type UsageGateway } from './usage-gateway.ts'

let gateway: UsageGateway
let caller: TestClient

beforeAll(async () => {
  gateway = await startUsageGateway()
  caller = await gateway.createClient()
  await gateway.spend(caller, [
    { usd: '0.5', model: 'anthropic/claude-sonnet-4.6', prompt: 1_000_000, completion: 10_000 },
    { usd: '0.25', model: 'openai/gpt-5.2', prompt: 100_000, completion: 20_000 },
    { usd: '1', model: 'openai/tts-1' },
    { usd: '2', model: 'acme/gone', prompt: 5 },
  ])
})
afterAll(() => gateway.close())

const ask = (query: string, credential: Parameters<UsageGateway['read']>[1] = caller.key) =>
  gateway.read(`/v1/insights/what-if${query}`, credential)

it('multiplies the tokens of 30 days by the prices of another model, and names what cannot be compared', async () => {
  const { status, body } = await ask('?model=openai/gpt-4o-mini')
  expect(status).toBe(200)
  // 1,100,000 × $0.00000016 + 30,000 × $0.00000064.
  expect(body).toMatchObject({
    model: 'openai/gpt-4o-mini',
    prices: { prompt: '0.00000016', completion: '0.00000064', request: '0' },
    assumes: ['no_cached_tokens', 'first_price_tier'],
    spent: 0.75,
    would_cost: 0.1952,
    by_model: [
      { model: 'anthropic/claude-sonnet-4.6', requests: 1, spent: 0.5, would_cost: 0.1664 },
      { model: 'openai/gpt-5.2', prompt_tokens: 100_000, completion_tokens: 20_000, would_cost: 0.0288 },
    ],
    not_compared: [
      { model: 'acme/gone', spent: 2, reason: 'unknown' },
      { model: 'openai/tts-1', spent: 1, reason: 'other_kind' },
    ],
  })
})

it('answers a signed-in person as a key, and a stranger with nothing', async () => {
  const cookie = await gateway.signIn(caller.userId)
  expect(await ask('?model=openai/gpt-4o-mini', { cookie })).toEqual(await ask('?model=openai/gpt-4o-mini'))
  const stranger = await gateway.createClient()
  expect((await ask('?model=openai/gpt-4o-mini', stranger.key)).body).toMatchObject({ spent: 0, by_model: [] })
})

it.each([
  ['', 400, 'missing_required_field'],
  ['?model=acme/nothing', 404, 'model_not_found'],
  ['?model=openai/tts-1', 400, 'model_not_priced'],
])('refuses "%s" with %i %s', async (query, status, code) => {
  const { status: answered, body } = await ask(query)
  expect([answered, (body['error'] as { code: unknown }).code]).toEqual([status, code])
})
