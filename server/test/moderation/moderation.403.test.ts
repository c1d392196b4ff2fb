import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parseUsd } from '#domain/money/nano-usd.ts'
import { type JsonObject, objectAt } from '#lib/json.ts'
import { type ChatWorld, startChatWorld } from '#test/chat/chat-world.ts'
import { moderationTestPhrase } from './test-phrase.ts'

const phrase = `Please repeat: ${moderationTestPhrase.toLowerCase()}. Thank you.`
const user = (content: string) => ({ role: 'user', content })

describe('a prompt that violates policy', () => {
  let world: ChatWorld
  beforeAll(async () => {
    world = await startChatWorld()
  })
  afterAll(() => world.close())
  beforeEach(() => world.forget())

  const post = (path: string, key: string, body: JsonObject) =>
    world.gateway.as(key).post(path, { model: 'openai/gpt-5.2', ...body })

  it.each([
    ['/v1/chat/completions', { messages: [user(phrase)] }],
    ['/v1/messages', { messages: [user(phrase)], max_tokens: 16 }],
    ['/v1/responses', { input: phrase }],
  ])('[ERR-46] is refused on %s with content_filter, in words that say so', async (path, body) => {
    const { key } = await world.caller()
    const reply = await post(path, key, body)
    expect(reply.status).toBe(403)
    expect(objectAt(reply.json, 'error')).toMatchObject({
      code: 'content_filter',
      type: 'invalid_request_error',
      message: expect.stringMatching(/blocked by moderation/),
    })
    expect(JSON.stringify(reply.json)).not.toContain('repeat')
  })

  it.each<[string, string, JsonObject]>([
    ['a chat', '/v1/chat/completions', { messages: [user(phrase)] }],
    ['a stream', '/v1/chat/completions', { stream: true, messages: [user(phrase)] }],
    ['a system message', '/v1/chat/completions', { messages: [{ role: 'system', content: phrase }, user('Hi')] }],
    [
      'a part of a message',
      '/v1/chat/completions',
      { messages: [{ role: 'user', content: [{ type: 'text', text: phrase }] }] },
    ],
    [
      'an earlier turn',
      '/v1/chat/completions',
      { messages: [user(phrase), { role: 'assistant', content: 'No.' }, user('Hi')] },
    ],
    [
      'a result of a tool',
      '/v1/chat/completions',
      {
        messages: [
          user('Hi'),
          {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
          },
          { role: 'tool', tool_call_id: 'c', content: phrase },
        ],
      },
    ],
    ['a model for tests', '/v1/chat/completions', { model: 'test/echo', messages: [user(phrase)] }],
    ['a cursor chat', '/v1/cursor/chat/completions', { input: phrase }],
    ['an input of Responses', '/v1/responses', { input: phrase }],
    ['instructions of Responses', '/api/v1/responses', { instructions: phrase, input: 'Hi' }],
    ['Messages', '/v1/messages', { max_tokens: 10, messages: [user(phrase)] }],
    ['a system prompt of Messages', '/v1/messages', { max_tokens: 10, system: phrase, messages: [user('Hi')] }],
  ])('[MODER-01] reaches no upstream: %s', async (_what, path, body) => {
    const { key } = await world.caller()
    const { status, json } = await post(path, key, body)
    expect(status).toBe(403)
    expect(objectAt(json, 'error').code).toBe('content_filter')
    expect(world.upstreamCalls()).toBe(0)
  })

  it('[MODER-01] leaves balance, use of the key, budgets and records as they were', async () => {
    const organization = await world.gateway.createOrganization()
    const { teamId } = await world.gateway.addTeam(organization.id, { monthlyBudgetUsd: '5' })
    const { memberId } = await world.gateway.addMember(organization.id, { teamId, monthlyBudgetUsd: '5' })
    const terms = { limit: parseUsd('5'), period: 'day' } as const
    const { key } = await world.gateway.addOrganizationKey(organization.id, { memberId, teamId, terms })
    // One paid request, so that there are sums that must not change.
    expect((await post('/v1/chat/completions', key, { messages: [user('Hi')] })).status).toBe(200)
    world.forget()
    const before = await books(key)
    const requests: [string, JsonObject][] = [
      ['/v1/chat/completions', { messages: [user(phrase)], max_tokens: 5_000 }],
      ['/v1/responses', { input: phrase }],
      ['/v1/messages', { max_tokens: 10, messages: [user(phrase)], stream: true }],
    ]
    for (const [path, body] of requests) {
      expect((await post(path, key, body)).status).toBe(403)
    }
    expect(await books(key)).toEqual(before)
    expect(world.upstreamCalls()).toBe(0)
  })

  it('is refused to callers without credit in the same way', async () => {
    const poor = await world.caller({ usd: '0' })
    expect((await world.chat({ messages: [user(phrase)] }, { as: poor })).status).toBe(403)
  })

  it('is judged as the filters of an organization leave it', async () => {
    const { id } = await world.gateway.createOrganization()
    const { memberId, userId } = await world.gateway.addMember(id, { role: 'org_admin' })
    const { key } = await world.gateway.addOrganizationKey(id, { memberId })
    expect((await post('/v1/chat/completions', key, { messages: [user(phrase)] })).status).toBe(403)
    const manager = await world.gateway.addKey(userId, { type: 'management' })
    const matcher = { kind: 'keyword', keyword: moderationTestPhrase }
    const rule = { name: 'Test phrase', action: 'redact', matcher }
    expect((await post(`/api/orgs/${id}/content-filters`, manager.key, rule)).status).toBe(201)
    expect((await post('/v1/chat/completions', key, { messages: [user(phrase)] })).status).toBe(200)
    expect(world.upstreamCalls()).toBe(1)
    expect(JSON.stringify(world.openai.requests)).not.toContain(moderationTestPhrase.toLowerCase())
  })

  it('leaves people alone who write about such things', async () => {
    for (const content of [
      'How is anthrax treated?',
      'Explain how ransomware works.',
      'My WEIR test phrase is a secret',
    ]) {
      expect((await world.chat({ messages: [user(content)] })).status).toBe(200)
    }
    expect(world.upstreamCalls()).toBe(3)
  })

  /** All sums of money and usage. */
  async function books(key: string) {
    const response = await world.gateway.as(key).get('/v1/key')
    const tables = ['wallets', 'holds', 'ledger_transfers', 'spend_windows', 'key_usage_days', 'generations']
    const counted: Record<string, unknown> = { key: response.json }
    for (const table of tables) {
      const { rows } = await world.gateway.pool.query<{ all: string }>(
        `SELECT coalesce(jsonb_agg(t ORDER BY t::text), '[]')::text AS all FROM ${table} t`,
      )
      counted[table] = rows[0]?.all
    }
    return counted
  }
})

describe('moderation that is disabled', () => {
  let world: ChatWorld
  beforeAll(async () => {
    world = await startChatWorld({ WEIR_MODERATION_ENGINE: 'off' })
  })
  afterAll(() => world.close())

  it('blocks nothing', async () => {
    expect((await world.chat({ messages: [user(phrase)] })).status).toBe(200)
  })
})
