import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { importModels } from '#test/money/import-models.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import type { Reply } from '#test/setup/reply.ts'
import { responsesDocument } from '#test/simulators/protocols/responses/responses-document.ts'
import { responsesError } from '#test/simulators/protocols/responses/responses-error.ts'
import { responsesStream } from '#test/simulators/protocols/responses/responses-stream.ts'
import { type Simulator, startSimulator } from '#test/simulators/start-simulator.ts'
import { at, bodySeenBy, listAt } from './dialect-world.ts'

const pricing = { prompt: '0.00001', completion: '0.0001', cache_read: '0.000001' }
const usage = { prompt: 100, completion: 40, cached: 30, reasoning: 10 }
const hello = { kind: 'text', pieces: ['Hel', 'lo'], usage } as const
const tool = { name: 'get_time', parameters: { type: 'object', properties: {} } }

describe('an account whose operator wants Responses', () => {
  let gateway: TestGateway
  let grok: Simulator
  let caller: TestClient
  const model = 'x-ai/grok-9'
  const thought = { type: 'reasoning', id: 'rs_1', summaries: [['I see.']], encrypted: 'eGFp+/==' } as const
  const answer = { kind: 'items', items: [thought, { type: 'message', pieces: ['Hi'] }], usage, style: 'xai' } as const
  beforeAll(async () => {
    gateway = await startTestGateway({ WEIR_BREAKER_FAILURES: '100000' })
    grok = await startSimulator()
    await importModels(gateway.pool, [
      { id: model, provider: 'xai', pricing, maxCompletionTokens: 8_000, callsTools: true },
    ])
    await gateway.addProvider({ vendor: 'xai', url: `${grok.url}/v1`, api: 'responses' })
    await gateway.gateway.refresh()
    caller = await gateway.createClient()
  })
  afterAll(async () => {
    await gateway.close()
    await grok.close()
  })
  beforeEach(() => {
    grok.forget()
    grok.play({ kind: 'by-request', stream: responsesStream(answer), json: responsesDocument(answer) })
  })

  const ask = (body: JsonObject): Promise<Reply> =>
    gateway.as(caller).post('/v1/responses', { model, input: 'Hi', ...body })

  it('is asked through it, without what is promised to OpenAI alone', async () => {
    const reply = await ask({ user: 'u', parallel_tool_calls: false, tools: [{ type: 'function', ...tool }], seed: 7 })
    expect(reply.status, reply.text).toBe(200)
    expect(reply.headers.get('x-params-ignored')?.split(', ').sort()).toEqual(['parallel_tool_calls', 'user'])
    expect(grok.requests[0]?.path).toBe('/v1/responses')
    const body = bodySeenBy(grok)
    expect(body).toMatchObject({ seed: 7, store: false, include: ['reasoning.encrypted_content'] })
    expect(body).not.toHaveProperty('user')
    expect(body).not.toHaveProperty('parallel_tool_calls')
  })

  it.each([false, true])(
    'gives a whole response where the host leaves parts of it out (streamed: %s)',
    async (stream) => {
      const reply = await ask({ stream })
      const last = stream ? at(lastEvent(reply.text), 'response') : reply.json
      expect(last).toMatchObject({ object: 'response', model, status: 'completed', error: null, store: false })
      expect(at(last, 'id')).toMatch(/^resp_/)
      expect(at(last, 'completed_at')).toEqual(expect.any(Number))
    },
  )

  it('gets its own thoughts back, and nobody else does', async () => {
    const items = listAt((await ask({})).json, 'output')
    const next = [{ role: 'user', content: 'Hi' }, ...items, { role: 'user', content: 'More' }]
    expect((await ask({ input: next })).status).toBe(200)
    const encrypted = { type: 'reasoning', id: 'rs_1', encrypted_content: 'eGFp+/==' }
    expect(listAt(bodySeenBy(grok), 'input')[1]).toMatchObject(encrypted)

    const openai = await startSimulator({ scenario: responsesDocument(hello) })
    const other = 'openai/gpt-5.2'
    await gateway.addProvider({ vendor: 'openai', url: `${openai.url}/v1`, pattern: other, api: 'responses' })
    expect((await ask({ model: other, input: next })).status).toBe(200)
    expect(JSON.stringify(bodySeenBy(openai))).not.toMatch(/reasoning",|eGFp|weir/)
    const foreign = { type: 'reasoning', id: 'rs_2', summary: [], encrypted_content: 'gAAAopenai' }
    expect((await ask({ input: [foreign, { role: 'user', content: 'Hi' }] })).status).toBe(200)
    expect(JSON.stringify(bodySeenBy(grok))).not.toContain('gAAAopenai')
    await openai.close()
  })

  it.each([false, true])(
    'shows no thoughts to who wants none, though it was told some (streamed: %s)',
    async (stream) => {
      const { text } = await ask({ stream, reasoning: { effort: 'low', exclude: true } })
      expect(text).not.toContain('I see.')
      expect(text).toContain('Hi')
      expect(bodySeenBy(grok).reasoning).toEqual({ effort: 'low' })
    },
  )
})

describe('a host that cannot read a thought', () => {
  it('is passed over for one that can', async () => {
    const gateway = await startTestGateway()
    const [first, second] = await Promise.all([startSimulator(), startSimulator()])
    first.play(responsesError('foreign-thought'))
    second.play(responsesDocument(hello))
    const route = { vendor: 'openai', pattern: 'openai/gpt-5.2', api: 'responses' } as const
    await gateway.addProvider({ ...route, name: 'first', url: `${first.url}/v1`, priority: 0 })
    await gateway.addProvider({ ...route, name: 'second', url: `${second.url}/v1`, priority: 1 })
    const body = { model: 'openai/gpt-5.2', input: 'Hi' }
    const reply = await gateway.as(await gateway.createClient()).post('/v1/responses', body)
    expect(reply.status, reply.text).toBe(200)
    expect([first.requests.length, second.requests.length]).toEqual([1, 1])
    await gateway.close()
    await Promise.all([first.close(), second.close()])
  })
})

function lastEvent(text: string): JsonObject {
  const data = text.trim().split('\n').at(-1) ?? ''
  return JSON.parse(data.slice('data: '.length))
}
