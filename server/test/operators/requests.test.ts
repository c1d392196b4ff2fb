import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { publicGenerationId } from '#domain/ledger/generation-id.ts'
import { newUuid } from '#lib/uuid.ts'
import { callChat } from '#test/setup/call-chat.ts'
import { createTestClock } from '#test/setup/clock.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import { jsonAnswer } from '#test/simulators/scenarios/json-answer.ts'
import { type Scenario, type Simulator, startSimulator } from '#test/simulators/start-simulator.ts'

const clock = createTestClock('2030-01-07T12:00:15Z')
const prompt = 'I collect old lighthouses and will tell nobody.'

describe('a request that an operator looks up', () => {
  let gateway: TestGateway
  let first: Simulator
  let second: Simulator
  let operator: { key: string }

  beforeAll(async () => {
    gateway = await startTestGateway({}, clock)
    ;[first, second] = [await startSimulator(), await startSimulator()]
    await gateway.addProvider({
      vendor: 'openai',
      url: `${first.url}/v1`,
      pattern: 'openai/*',
      priority: 0,
      name: 'main',
    })
    await gateway.addProvider({
      vendor: 'openai',
      url: `${second.url}/v1`,
      pattern: 'openai/*',
      priority: 1,
      name: 'spare',
    })
    operator = await gateway.addOperatorKey()
  })
  afterAll(async () => {
    await gateway.close()
    await Promise.all([first.close(), second.close()])
  })

  const ask = (key: string, more = {}) =>
    callChat(gateway.as(key), { model: 'openai/gpt-4o-mini', messages: [{ role: 'user', content: prompt }], ...more })
  const look = (id: string) => gateway.as(operator.key).send('GET', `/api/admin/requests/${id}`)

  it('is found by either id: whose it is, who was asked, what they said, and what it cost', async () => {
    const caller = await gateway.createClient()
    const said = { error: { message: `Quota used up, cannot read "${prompt}" with key sk-vendor-secret-1` } }
    first.playNext(jsonAnswer(500, said))
    const reply = await ask(caller.key)
    const requestId = reply.headers.get('x-request-id') ?? ''
    const generation = reply.headers.get('x-generation-id') ?? ''
    expect(generation).toBe(requestId.replace('req_', 'gen-'))
    const { status, json, text } = await look(requestId)
    expect(status).toBe(200)
    expect((await look(generation)).text).toBe(text)
    expect(json).toMatchObject({
      id: generation,
      request_id: requestId,
      received_at: '2030-01-07T12:00:15.000Z',
      state: 'settled',
      key: { id: caller.keyId, shown: expect.stringContaining('…') },
      user: { email: expect.stringContaining('@') },
      hold: null,
      attempts: [
        {
          account: 'main',
          outcome: 'upstreamUnavailable',
          status: 500,
          said: 'Quota used up, cannot read "[redacted]" with key [redacted]',
        },
        { account: 'spare', outcome: 'answered', status: 200, said: null },
      ],
      receipt: { total_cost: expect.any(Number), duration_ms: expect.any(Number) },
    })
    // The client's own receipt is also found by either id, and names neither account nor text.
    const own = await gateway.as(caller.key).send('GET', `/v1/generation?id=${requestId}`)
    expect(own.json).toMatchObject({ data: { id: generation } })
    expect(own.text).not.toMatch(/main|spare|Quota/)
    const line = gateway.logLines.find((written) => written.includes(requestId)) ?? ''
    expect(JSON.parse(line)).toMatchObject({
      account: 'spare',
      attempts: [{ said: expect.stringContaining('Quota') }, {}],
    })
    expect(line).not.toContain('lighthouses')
  })

  it('has the words of a provider that sends no JSON, and of a request that nobody served', async () => {
    const { key } = await gateway.createClient()
    const head = { do: 'head', status: 500, headers: { 'content-type': 'text/html' } } as const
    const page = { do: 'write', text: '<html><h1>boom in the vendor</h1></html>' } as const
    const boom: Scenario = { kind: 'steps', steps: [head, page, { do: 'end' }] }
    first.play(boom)
    second.play(boom)
    const reply = await ask(key)
    first.play({ kind: 'echo' })
    second.play({ kind: 'echo' })
    const { json } = await look(reply.headers.get('x-request-id') ?? '')
    expect(json).toMatchObject({ attempts: [{ said: 'boom in the vendor' }, { said: 'boom in the vendor' }, {}] })
    expect(gateway.logLines.join()).toContain(
      'main: upstreamUnavailable: boom in the vendor; spare: upstreamUnavailable',
    )
  })

  it('is shown while it runs, and with what is left of it where its gateway died', async () => {
    const { keyId, walletId } = await gateway.createClient()
    const [running, lapsed] = [newUuid(clock.nowMs()), newUuid(clock.nowMs())]
    await gateway.pool.query(
      `INSERT INTO holds (id, wallet_id, key_id, amount_nano, estimate_nano, lease_until) VALUES ($1, $2, $3, 5000, 0, '2030-01-07T13:00:00Z')`,
      [running, walletId, keyId],
    )
    await gateway.pool.query('INSERT INTO lapsed_holds (id, wallet_id, key_id, amount_nano) VALUES ($1, $2, $3, 7)', [
      lapsed,
      walletId,
      keyId,
    ])
    expect((await look(publicGenerationId(running))).json).toMatchObject({
      state: 'running',
      key: { id: keyId },
      hold: { held: 0.000005, lease_until: '2030-01-07T13:00:00.000Z' },
      attempts: [],
      receipt: null,
    })
    expect((await look(publicGenerationId(lapsed))).json).toMatchObject({
      state: 'lapsed',
      receipt: { refund_reason: 'lease_lapsed', total_cost: 0 },
    })
  })

  it('is plainly said to have left nothing where it was refused', async () => {
    const refused = await ask('sk-weir-nobody')
    expect(refused.status).toBe(401)
    const { status, json } = await look(refused.headers.get('x-request-id') ?? '')
    expect(status).toBe(404)
    const message = expect.stringMatching(/^No record of req_\w+, received at 2030-01-07T12:00:15\.000Z\. .* rejected/)
    expect(json).toMatchObject({ error: { message } })
    expect((await look('req_0123456789abcdef0123456789abcdefzz')).json).toMatchObject({
      error: { message: expect.stringContaining('search the log for them') },
    })
  })
})
