import { describe, expect, it } from 'vitest'
import type { Candidate } from '#domain/routing/candidates.ts'
import type { JsonObject } from '#lib/json.ts'
import type { UpstreamRequest, Upstreams } from '#ports/upstream.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import { createConfirmRefusal } from './confirm-refusal.ts'

const [base = never()] = testTicket().plan.candidates
function never(): never {
  throw new Error('the test ticket has a candidate')
}
const timeouts = { connectTimeoutMs: 1, firstByteTimeoutMs: 2, answerTimeoutMs: 3, idleTimeoutMs: 4 }
const at = (vendor: string, upstreamModel = 'model'): Candidate => ({
  ...base,
  account: { ...base.account, vendor },
  upstreamModel,
})

/** The upstream's response to a body: a status, and an error if any; null breaks off. */
type Say = (body: JsonObject) => readonly [status: number, answer: JsonObject] | null

function ask(candidate: Candidate, field: string, say: Say, leftOut: readonly string[] = []) {
  const bodies: JsonObject[] = []
  const requests: UpstreamRequest[] = []
  const errors: unknown[] = []
  const upstreams: Upstreams = {
    open: (request, handler) => {
      requests.push(request)
      const body = JSON.parse(String(request.body)) as JsonObject
      bodies.push(body)
      const said = say(body)
      if (said === null) handler.failed({ kind: 'unreachable', message: 'nobody there' })
      else {
        handler.headers(said[0], { 'content-type': 'application/json' })
        handler.data(Buffer.from(JSON.stringify(said[1])))
        handler.end()
      }
      return { pause: () => {}, resume: () => {}, abort: () => {} }
    },
  }
  const confirm = createConfirmRefusal({
    upstreams,
    authorize: async (request) => ({ ...request, headers: { ...request.headers, signed: 'yes' } }),
    timeouts,
    onError: (error) => errors.push(error),
  })
  return { said: confirm(candidate, field, leftOut), bodies, requests, errors }
}

const ok = [200, {}] as const
const no = (field: string) =>
  [400, { error: { message: `property '${field}' is unsupported`, type: 'invalid_request_error' } }] as const
const strict =
  (...fields: string[]): Say =>
  (body) => {
    const found = fields.find((field) => Object.hasOwn(body, field))
    return found === undefined ? ok : no(found)
  }

describe('a neutral request', () => {
  it('C1: confirms a refusal with the field and the opposite without, in words of ours alone', async () => {
    const { said, bodies, requests } = ask(at('groq'), 'reasoning_effort', strict('reasoning_effort'))
    expect(await said).toEqual({ kind: 'refused', words: "property 'reasoning_effort' is unsupported" })
    const greeting = { model: 'model', messages: [{ role: 'user', content: 'Say hi.' }], max_tokens: 16, stream: false }
    expect(bodies).toEqual([{ ...greeting, reasoning_effort: 'low' }, greeting])
    expect(requests[0]).toMatchObject({ origin: 'http://upstream.test', headersTimeoutMs: 3 })
    expect(requests[0]?.headers).toMatchObject({ authorization: 'Bearer secret' })
    expect(requests[0]).not.toHaveProperty('ignored')
  })

  it.each<[string, Say, string]>([
    ['the upstream takes the field', () => ok, 'taken'],
    ['it names another field', (body) => (Object.hasOwn(body, 'reasoning_effort') ? no('user') : ok), 'unknown'],
    ['it leads elsewhere', () => [302, {}], 'unknown'],
    ['it refuses for another reason', () => [400, { error: { message: 'The prompt is too long.' } }], 'unknown'],
    ['it is limiting the rate', () => [429, { error: { message: 'Slow down.' } }], 'unknown'],
    ['it refuses the request without the field, too', () => no('reasoning_effort'), 'unknown'],
    ['it cannot be reached', () => null, 'unknown'],
  ])('confirms nothing where %s', async (_case, say, kind) => {
    const { said, errors } = ask(at('groq'), 'reasoning_effort', say)
    expect((await said).kind).toBe(kind)
    expect(errors).toEqual([])
  })

  it('has the value that the gateway itself would send, or else one of the protocol', async () => {
    const claude = ask(at('anthropic', 'claude-sonnet-4-5'), 'thinking', () => ok)
    expect((await claude.said).kind).toBe('taken')
    expect(claude.bodies[0]).toMatchObject({ thinking: { type: 'enabled', budget_tokens: 1_024 } })
    const named = ask(at('anthropic', 'claude-sonnet-4-5'), 'metadata', () => ok)
    expect((await named.said).kind).toBe('taken')
    expect(named.bodies[0]).toMatchObject({ metadata: { user_id: 'weir' }, max_tokens: 16 })
  })

  it('is authorized when it is finished where its vendor wants that', async () => {
    const vertex = at('google-vertex', 'claude-sonnet-4-5')
    const signed = ask(vertex, 'thinking', () => ok)
    expect((await signed.said).kind).toBe('taken')
    expect(signed.requests[0]?.headers).toMatchObject({ signed: 'yes' })
    const bare = ask({ ...vertex, account: { ...vertex.account, credential: null } }, 'thinking', () => ok)
    expect((await bare.said).kind).toBe('taken')
    expect(bare.requests[0]?.headers).not.toHaveProperty('signed')
    const early = ask(at('groq'), 'reasoning_effort', () => ok)
    await early.said
    expect(early.requests[0]?.headers).not.toHaveProperty('signed')
  })

  it('is without the fields that are known to be refused', async () => {
    const say = strict('reasoning_effort', 'user')
    const { said, bodies } = ask(at('groq'), 'user', say, ['reasoning_effort'])
    expect((await said).kind).toBe('refused')
    expect(bodies.map((body) => Object.keys(body).includes('reasoning_effort'))).toEqual([false, false])
  })

  it('tells of a mistake of ours', async () => {
    const { said, errors } = ask(at('groq'), 'messages', () => ok)
    expect((await said).kind).toBe('unknown')
    expect(errors).toHaveLength(1)
  })
})
