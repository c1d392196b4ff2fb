import { describe, expect, it } from 'vitest'
import { messagesDialect } from '#dialects/messages/messages-dialect.ts'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import type { JsonObject } from '#lib/json.ts'
import { makePrincipal } from '#test/identity/make-principal.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import { cacheDigest } from './cache-digest.ts'

const { arrival, plan } = testTicket()
const principal = makePrincipal()
const [candidate] = plan.candidates as [Candidate]
const body: JsonObject = { model: 'a/b', messages: [{ role: 'user', content: 'Hello' }], max_tokens: 9, cache: true }

type Parts = [Parameters<typeof cacheDigest>[0], Parameters<typeof cacheDigest>[1], Parameters<typeof cacheDigest>[2]]
const plain: Parts = [arrival, principal, { ...plan, call: { ...plan.call, body } }]
const withBody = (change: JsonObject): Parts => [
  plain[0],
  plain[1],
  { ...plain[2], call: { ...plan.call, body: { ...body, ...change } } },
]
const withCandidates = (...candidates: Candidate[]): Parts => [plain[0], plain[1], { ...plain[2], candidates }]
const digestOf = (parts: Parts): string => cacheDigest(...parts).toString('hex')

const other: Candidate = { ...candidate, account: { ...candidate.account, id: 'another' } }

const otherAnswers: Readonly<Record<string, Parts>> = {
  model: withBody({ model: 'a/c' }),
  models: withBody({ models: ['a/c'] }),
  text: withBody({ messages: [{ role: 'user', content: 'hello' }] }),
  role: withBody({ messages: [{ role: 'system', content: 'Hello' }] }),
  'a further message': withBody({ messages: [...(body.messages as JsonObject[]), { role: 'user', content: '' }] }),
  cap: withBody({ max_tokens: 10 }),
  temperature: withBody({ temperature: 0 }),
  seed: withBody({ seed: 1 }),
  stop: withBody({ stop: ['a'] }),
  stream: withBody({ stream: true }),
  tools: withBody({ tools: [{ type: 'function', function: { name: 'f' } }] }),
  'tool choice': withBody({ tool_choice: 'none' }),
  'response format': withBody({ response_format: { type: 'json_object' } }),
  reasoning: withBody({ reasoning: { effort: 'low' } }),
  user: withBody({ user: 'u' }),
  preferences: withBody({ provider: { only: ['openai'] } }),
  'maximum cost in the body': withBody({ max_cost_usd: 1 }),
  'an unknown field': withBody({ anything: 1 }),
  'the order of fields': withBody({ response_format: { b: 1, a: 1 } }),
  dialect: [{ ...arrival, dialect: messagesDialect }, plain[1], plain[2]],
  'named events': [{ ...arrival, wantsEvents: true }, plain[1], plain[2]],
  'maximum cost': [plain[0], plain[1], { ...plain[2], maxCost: nanoUsd(5n) }],
  'another account': withCandidates(other),
  'a further account': withCandidates(candidate, other),
  'upstream model': withCandidates({ ...candidate, upstreamModel: 'new' }),
  'base URL': withCandidates({ ...candidate, account: { ...candidate.account, baseUrl: 'https://new.example' } }),
  overrides: withCandidates({
    ...candidate,
    account: { ...candidate.account, overrides: [{ models: ['*'] }] },
  } as never),
  'own key': withCandidates({ ...candidate, billing: 'own_key' }),
  api: withCandidates({ ...candidate, api: 'responses' }),
  'trimmed messages': [
    plain[0],
    plain[1],
    { ...plain[2], call: { ...plain[2].call, trims: new Map([['a/b', { keeps: [false] }]]) as never } },
  ],
  'token of a customer': [
    plain[0],
    { ...principal, customerToken: { id: 't', endCustomerId: 'c', customer: 'c', limit: null, allowedModels: null } },
    plain[2],
  ],
  'session of a person': [
    plain[0],
    { ...principal, institutionSession: { id: 's', personId: 'p' } as never },
    plain[2],
  ],
}

const equal: Readonly<Record<string, Parts>> = {
  'another wish': withBody({ cache: { ttl_seconds: 5 } }),
  'no wish in the body': [plain[0], plain[1], { ...plain[2], call: { ...plan.call, body: omitWish(body) } }],
  'another id and time': [{ ...arrival, generationId: 'other', receivedAtMs: 1 } as never, plain[1], plain[2]],
  'another key': [plain[0], { ...principal, keyId: 'other' } as never, plain[2]],
  'another price': withCandidates({ ...candidate, price: { ...candidate.price, id: 'new' } }),
}

function omitWish({ cache: _cache, ...rest }: JsonObject): JsonObject {
  return rest
}

describe('the digest of a request', () => {
  it.each(Object.keys(otherAnswers))('[NEXT-81] is another one for: %s', (name) => {
    expect(digestOf(otherAnswers[name] as Parts)).not.toBe(digestOf(plain))
  })

  it('[NEXT-81] is a different one for each of them', () => {
    expect(new Set(Object.values(otherAnswers).map(digestOf)).size).toBe(Object.keys(otherAnswers).length)
  })

  it.each(Object.keys(equal))('[NEXT-81] is the same for: %s', (name) => {
    expect(digestOf(equal[name] as Parts)).toBe(digestOf(plain))
  })

  it('[NEXT-81] is the same in whatever order the candidates come', () => {
    expect(digestOf(withCandidates(candidate, other))).toBe(digestOf(withCandidates(other, candidate)))
  })
})
