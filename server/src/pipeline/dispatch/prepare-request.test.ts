import { describe, expect, it } from 'vitest'
import { chatDialect } from '#dialects/chat/chat-dialect.ts'
import type { ConversationDialect } from '#dialects/dialect.ts'
import { messagesDialect } from '#dialects/messages/messages-dialect.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import { keepTrace } from '#domain/tracing/propagate.ts'
import { assert } from '#lib/assert.ts'
import type { JsonObject } from '#lib/json.ts'
import type { AuthorizeRequest } from '#ports/upstream.ts'
import { vendors } from '#providers/registry.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import type { Ticket } from '../types.ts'
import { mediaTargetOf, prepareRequest } from './prepare-request.ts'
import { createRefusedFields, type RefusedFields } from './attempt/refused-fields.ts'

const timeouts = { connectTimeoutMs: 1, firstByteTimeoutMs: 2, answerTimeoutMs: 3, idleTimeoutMs: 4 }
const [base] = testTicket().plan.candidates
assert(base !== undefined, 'the test ticket has a candidate')
const unsigned = { ...base.account, vendor: 'amazon-bedrock', credential: null }
const hello = [{ role: 'user', content: 'Hello' }]

interface Asked {
  dialect?: ConversationDialect
  body?: JsonObject
  vendor?: string
  candidate?: Partial<Candidate>
  ticket?: (ticket: Ticket) => Ticket
  refusedFields?: RefusedFields
}

const authorize: AuthorizeRequest = async (request, credential, way) => ({
  ...request,
  headers: { ...request.headers, authorized: `with ${credential}, ${Object.values(way).join(' ')}` },
})

const noRefusedFields = (): RefusedFields => createRefusedFields({ refusedBy: () => [], suggest: () => {} })

/** The upstream request for a call, and the fields omitted from it. */
async function prepare({
  dialect = chatDialect,
  body = {},
  vendor = 'openai',
  candidate,
  ticket,
  refusedFields = noRefusedFields(),
}: Asked = {}) {
  const plain = testTicket({ isOpenEnded: false })
  const call = dialect.parse({ model: 'acme/model', messages: hello, max_tokens: 10, ...body })
  const asked: Ticket = { ...plain, arrival: { ...plain.arrival, dialect }, plan: { ...plain.plan, call } }
  const given = ticket?.(asked) ?? asked
  const { account, ...rest } = base ?? expect.fail()
  const chosen = { ...rest, account: { ...account, vendor }, ...candidate }
  const prepared = await prepareRequest(given, chosen, { timeouts, authorize, propagate: keepTrace, refusedFields })
  const { body: sent } = prepared.request
  assert(typeof sent === 'string', 'a conversation is sent as text')
  return { ...prepared, sent: sent.startsWith('{') ? (JSON.parse(sent) as JsonObject) : {} }
}

describe('a request to an upstream', () => {
  it('goes to the account of the candidate, with its model and its times', async () => {
    const { request, sent } = await prepare()
    expect(request).toMatchObject({
      origin: 'http://upstream.test',
      path: '/v1/chat/completions',
      connectTimeoutMs: 1,
      headersTimeoutMs: 3,
      bodyTimeoutMs: 4,
    })
    expect(request.headers.authorization).toBe('Bearer secret')
    expect(request).not.toHaveProperty('pool')
    expect(request).not.toHaveProperty('account')
    expect(sent).toMatchObject({ model: 'model', messages: hello, max_tokens: 10 })
  })

  it('waits for the first byte of a stream, and for the whole of a document', async () => {
    const { request } = await prepare({ body: { stream: true } })
    expect(request.headersTimeoutMs).toBe(2)
  })

  it("has connections of its own for an organization's own key", async () => {
    const { request } = await prepare({
      candidate: { billing: 'own_key' },
      ticket: (ticket) => ({ ...ticket, principal: { ...ticket.principal, organizationId: 'organization-1' } }),
    })
    expect(request).toMatchObject({ pool: 'account-1', account: 'organization-1' })
  })

  it.each([
    ['amazon-bedrock', 'with secret, sigv4 bedrock'],
    ['google-vertex', 'with secret, google'],
  ])('is authorized when it is finished where its vendor is %s', async (vendor, authorized) => {
    const { request } = await prepare({ vendor })
    expect(request.headers).toMatchObject({ authorized })
    expect(request.headers).not.toHaveProperty('authorization')
  })

  it('is not authorized when it is finished without a credential, or where the credential is in it already', async () => {
    const { request } = await prepare({ vendor: 'amazon-bedrock', candidate: { account: unsigned } })
    expect(request.headers).not.toHaveProperty('authorized')
    expect((await prepare()).request.headers).not.toHaveProperty('authorized')
  })

  it('is without the fields that its upstream refuses, unless the client sent them, and names them', async () => {
    const refusedFields = createRefusedFields({ refusedBy: () => ['seed'], suggest: () => {} })
    const sentBy = (own: JsonObject) => {
      const ticket = (asked: Ticket) => ({ ...asked, arrival: { ...asked.arrival, body: own } })
      return prepare({ body: { seed: 7 }, ticket, refusedFields })
    }
    const without = await sentBy({})
    expect(without.sent).toMatchObject({ messages: hello })
    expect(without.sent).not.toHaveProperty('seed')
    expect(without.ignored).toEqual(['seed'])
    const having = await sentBy({ seed: 7 })
    expect(having.sent).toMatchObject({ messages: hello, seed: 7 })
    expect(having.ignored).toEqual([])
  })

  it('is as the operator of the account says, of all requests or of those for its model', async () => {
    const asked = { seed: 7, top_k: 3 }
    const ticket = (given: Ticket) => ({ ...given, arrival: { ...given.arrival, body: asked } })
    const sentWith = async (model: string) => {
      const overrides = [{ model, leaveOut: ['seed'], send: { top_k: 'top_k' } }]
      const account = { ...base.account, vendor: 'groq', overrides }
      return prepare({ body: asked, ticket, candidate: { account } })
    }
    const before = await sentWith('another')
    expect(before.sent).toMatchObject({ seed: 7 })
    expect(before.ignored).toEqual(['top_k'])
    for (const name of ['model', 'acme/model']) {
      const after = await sentWith(name)
      expect(after.sent).toMatchObject({ top_k: 3 })
      expect(after.sent).not.toHaveProperty('seed')
      expect(after.ignored).toEqual(['seed'])
    }
  })

  it('says the cap that wallet and limits can pay for, where the client has set none', async () => {
    const { sent } = await prepare({
      ticket: (ticket) => ({
        ...ticket,
        plan: {
          ...ticket.plan,
          isOpenEnded: true,
          call: { ...ticket.plan.call, maxTokens: null, body: { messages: hello } },
        },
      }),
    })
    // 2,058,000 nano-USD at 1,000 per prompt token and 2,000 per output token.
    const cap = sent.max_completion_tokens ?? sent.max_tokens
    assert(typeof cap === 'number', 'a cap is told')
    expect(cap).toBeGreaterThan(1_000)
    expect(cap).toBeLessThanOrEqual(1_029)
  })

  it('is in the words of a protocol that its client does not speak', async () => {
    const { request, sent } = await prepare({ dialect: messagesDialect })
    expect(request.path).toBe('/v1/chat/completions')
    expect(sent.messages).toEqual([{ role: 'user', content: 'Hello' }])
  })

  it('names what only models of OpenAI are sent, where the upstream speaks another protocol', async () => {
    const body = { user: 'u', logprobs: true }
    const other = await prepare({ body, vendor: 'anthropic' })
    expect(other.ignored).toEqual(expect.arrayContaining(['user', 'logprobs']))
    expect(JSON.stringify(other.sent)).not.toContain('logprobs')
  })

  it('leaves out messages that do not fit the model', async () => {
    const messages = ['one', 'two', 'three'].map((content) => ({ role: 'user', content }))
    const trim = { keeps: [true, false, true], promptTokensEstimate: 2, promptTokensHeld: 2 }
    const { sent } = await prepare({
      body: { messages },
      ticket: (ticket) => ({
        ...ticket,
        plan: { ...ticket.plan, call: { ...ticket.plan.call, trims: new Map([['acme/model', trim]]) } },
      }),
    })
    expect(sent.messages).toEqual([messages[0], messages[2]])
  })
})

describe('a test model', () => {
  const account = { ...base.account, vendor: 'test' }

  it('is played inside the process, with the body as it came', async () => {
    const { request, sent } = await prepare({ candidate: { account } })
    expect(request).toMatchObject({ origin: 'http://played.invalid', path: 'acme/model', headers: {} })
    expect(sent).toMatchObject({ model: 'acme/model', messages: hello })
  })

  it('takes chat completions, whatever its client speaks', async () => {
    const { sent, ignored } = await prepare({ dialect: messagesDialect, candidate: { account } })
    expect(sent).toMatchObject({ messages: [{ role: 'user', content: 'Hello' }] })
    expect(ignored).toEqual([])
  })
})

describe('where media are made', () => {
  it("is the operator's own address, or else the vendor's", () => {
    const own = mediaTargetOf(base, vendors.openai)
    expect(own).toMatchObject({
      baseUrl: 'http://upstream.test/v1',
      credential: 'secret',
      upstreamModel: 'model',
      model: 'acme/model',
      details: {},
    })
    expect(own.leaveOut).toBeUndefined()
    const overrides = [{ model: 'model', leaveOut: ['seed'] }]
    const changed = mediaTargetOf({ ...base, account: { ...base.account, overrides } }, vendors.openai)
    expect(changed.leaveOut).toEqual(['seed'])
    const plain = { ...base, account: { ...base.account, baseUrl: null } }
    expect(mediaTargetOf(plain, { ...vendors.openai, baseUrl: 'https://vendor.test' }).baseUrl).toBe(
      'https://vendor.test',
    )
    expect(() => mediaTargetOf(plain, { ...vendors.openai, baseUrl: null })).toThrow('has no default base URL')
  })
})
